// Runs what READMEs and docs/getting-started.md show as users would who paste it beside installed packages. How each is run, and what it has
// to print, is in the tests that run the same from source: they get the pasted programs in place of those of the workspace.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { root } from "../pnpm.mjs";
import { app, folder, node, packages, run } from "./place.mjs";

const pasted = join(app, "pasted");
const log = join(folder, "examples.log");

const documents = [
  join(root, "README.md"),
  join(root, "docs/getting-started.md"),
  ...packages.map((each) => join(each.folder, "README.md")),
];

/** Blocks of whole files that nothing here runs, and why. */
const notRun = {
  "packages/sessions-postgres/examples/delete-by-age.sql": "as SQL, which tenants.test.ts runs",
  "packages/sessions-postgres/examples/grants.sql": "as SQL, which tenants.test.ts runs",
  "packages/sessions-postgres/examples/row-level-security.sql": "as SQL, which tenants.test.ts runs",
};

/** Blocks that are no whole file, by their language. */
const reasons = {
  ts: "as parts of programs, which the gate guides compiles",
  sh: "as commands for a terminal",
  json: "as settings",
};

/** Gives lines on what did not run. */
export function runExamples() {
  const blocks = documents.flatMap(readBlocks);
  for (const { path, code } of blocks) if (path !== undefined) paste(path, code);
  checkInstallLines(blocks);
  // The program that users install as well. It has 370 MB, so it is not installed again.
  mkdirSync(join(app, "node_modules/@anthropic-ai"), { recursive: true });
  symlinkSync(
    join(root, "node_modules/@anthropic-ai/claude-code"),
    join(app, "node_modules/@anthropic-ai/claude-code"),
  );
  writeFileSync(log, "");

  const tests = packages.flatMap((each) => testsOfExamples(join(each.folder, "test")));
  const isGuide = (file) => file.endsWith("getting-started.test.ts");
  // Node takes types away by itself, and knows `await using`, from 24 on; with others there is tsx, as the guide says.
  runTests(
    tests.filter((file) => !isGuide(file)),
    [node("24")],
  );
  runTests(tests.filter(isGuide), [
    process.execPath,
    "--import",
    createRequire(join(app, "package.json")).resolve("tsx"),
  ]);
  run(node("24"), [], "transports.mjs", pasted);

  const started = new Set([
    ...readFileSync(log, "utf8").split("\n"),
    "packages/streamjson/examples/socket-transport.ts",
    "packages/streamjson/examples/websocket-transport.ts",
  ]);
  return report(blocks, started);
}

function readBlocks(document) {
  const text = readFileSync(document, "utf8");
  const marked = /(?:<!-- (?<path>[\w./-]+) -->\s+)?^(?<indent> *)```(?<language>\w+)\n(?<body>[\s\S]*?)^ *```$/gm;
  return [...text.matchAll(marked)].map((match) => ({
    document: relative(root, document),
    line: text.slice(0, match.index + match[0].indexOf("```")).split("\n").length,
    path: match.groups.path && relative(root, resolve(dirname(document), match.groups.path)),
    language: match.groups.language,
    code: match.groups.body.replaceAll(new RegExp(`^${match.groups.indent}`, "gm"), ""),
  }));
}

function paste(path, code) {
  const file = join(pasted, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}

/** Those that take what is pasted in place of a file of the workspace. */
function testsOfExamples(tests) {
  if (!existsSync(tests)) return [];
  // guides.test.ts runs what the other guides show, which is not pasted here.
  const files = readdirSync(tests).filter((name) => name.endsWith(".test.ts") && name !== "guides.test.ts");
  return files
    .map((name) => join(tests, name))
    .filter((file) => readFileSync(file, "utf8").includes("exampleCommand("))
    .map((file) => relative(root, file));
}

/** Who installs what a README says has all that its programs import. */
function checkInstallLines(blocks) {
  for (const { folder: each, manifest } of packages) {
    const document = relative(root, join(each, "README.md"));
    const text = readFileSync(join(root, document), "utf8");
    const installed = [...text.matchAll(/npm install ([^\n`]*)/g)].flatMap(([, names]) => names.split(" "));
    for (const block of blocks) {
      if (block.document !== document || block.path === undefined || block.language !== "ts") continue;
      for (const { fileName } of ts.preProcessFile(block.code).importedFiles) {
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(fileName)[0];
        if (isBuiltin(fileName) || installed.some((one) => one.replace(/(?<=.)@.*$/, "") === name)) continue;
        throw new Error(
          `${document}: ${block.path} imports ${name}, which no "npm install" for ${manifest.name} names`,
        );
      }
    }
  }
}

function runTests(files, command) {
  // Not those which compare a README with its examples.
  const args = ["run", "--project", "e2e", "--testNamePattern", "^(?!.* as (it is|they are))", ...files];
  const { status, stdout, stderr } = spawnSync("vitest", args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", REINS_PASTED: JSON.stringify({ folder: pasted, command, log }) },
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
}

function report(blocks, started) {
  const byReason = new Map();
  for (const { document, path, language, line } of blocks) {
    if (started.has(path)) continue;
    const reason = path === undefined ? reasons[language] : notRun[path];
    if (reason === undefined)
      throw new Error(`${document}:${line}: ${path ?? language} did not run, nor is it said why`);
    const places = byReason.get(reason) ?? new Map();
    byReason.set(reason, places.set(document, [...(places.get(document) ?? []), line]));
  }
  const count = blocks.filter(({ path }) => started.has(path)).length;
  const lines = [...byReason].map(([reason, places]) => {
    const named = [...places].map(([document, numbers]) => `${document}:${numbers.join(",")}`);
    return `not run, ${reason}: ${named.join(" ")}`;
  });
  return [`${count} programs ran`, ...lines];
}
