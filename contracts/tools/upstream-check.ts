import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readDecisions, writeDecisions } from "./upstream/decisions.ts";
import { documentSources, readDocuments } from "./upstream/documents.ts";
import { fetchSdk, newestVersion, readInstalledSdk } from "./upstream/official-sdk.ts";
import { readOurNames } from "./upstream/our-names.ts";
import { formatPage } from "./upstream/page.ts";
import { compareSurfaces, pruned } from "./upstream/parity.ts";
import { formatReport } from "./upstream/report.ts";

const usage = `pnpm upstream:check [VERSION] [--installed] [--json] [--write]

Compares the public names and fields of the official SDK with those of the packages here.
  VERSION      a version of @anthropic-ai/claude-agent-sdk; default: the newest on the npm registry
  --installed  the version that the tests use, from node_modules; needs no network
  --json       prints the comparison as JSON
  --write      writes PARITY.md and strikes decisions that nothing needs any more; with the installed version only

Exit code 1 when a name or field is neither in our packages nor decided about in contracts/parity/reasons.json.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    installed: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(usage);
else await check();

async function check(): Promise<void> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const data = join(root, "contracts/parity");
  const page = join(root, "PARITY.md");
  const installed = readInstalledSdk();
  const wanted = values.installed || values.write ? installed.version : (positionals[0] ?? (await newestVersion()));
  const sdk = wanted === installed.version ? installed : await fetchSdk(wanted);

  const ours = readOurNames(root);
  const resolves = (reference: string): boolean => ours.resolve(reference) !== undefined;
  const decisions = readDecisions(join(data, "reasons.json"));
  const parity = compareSurfaces(sdk.declarations, ours, decisions);
  const documents = readDocuments(data, resolves);

  if (values.write) {
    writeDecisions(join(data, "reasons.json"), pruned(decisions, parity, ours));
    for (const [index, { file }] of documentSources.entries())
      writeDecisions(join(data, file), documents[index]!.names);
    const text = formatPage(sdk.version, parity, documents);
    const isNew = readIfThere(page) !== text;
    writeFileSync(page, text);
    console.log(isNew ? "PARITY.md is written anew." : "PARITY.md is as it was.");
  }
  console.log(
    values.json ? JSON.stringify({ version: sdk.version, ...parity }, null, 2) : formatReport(sdk.version, parity),
  );
  if (parity.undecided.length > 0) process.exitCode = 1;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
