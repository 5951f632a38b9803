// Compares the public API of the package in the current folder with its reports: etc/NAME.api.md for the root entry and
// etc/NAME-SUBPATH.api.md for each other one. `--update` writes the reports instead. Reads the built declarations.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const update = process.argv.includes("--update");
const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

mkdirSync(join(folder, "etc"), { recursive: true });
for (const [subpath, target] of Object.entries(manifest.exports)) {
  if (typeof target === "string") continue;
  // A subpath may name what the root entry exports: its users can import that from there.
  const elsewhere = subpath === "." ? new Set() : exportsOf(manifest.exports["."].types);
  report([manifest.name.replace(/^@reins\//, ""), ...subpath.split("/").slice(1)].join("-"), target.types, elsewhere);
}

// The declarations that tsdown writes end with one list of all exports.
function exportsOf(declarations) {
  const lists = readFileSync(join(folder, declarations), "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return new Set([...lists].flatMap(([, list]) => list.split(",").map((name) => /(\w+)\s*$/.exec(name)?.[1])));
}

function report(reportName, declarations, elsewhere) {
  const file = `${reportName}.api.md`;
  const errors = [];
  const { apiReportChanged } = Extractor.invoke(configOf(file, declarations), {
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true;
      const [, symbol] = /symbol "(\w+)"/.exec(message.text) ?? [];
      if (message.messageId === "ae-forgotten-export" && elsewhere.has(symbol)) return;
      if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.formatMessageWithLocation(folder));
    },
  });
  for (const error of errors) console.error(error);
  if (apiReportChanged && update) console.log(`wrote etc/${file}`);
  if (apiReportChanged && !update) {
    const diff = ["diff", "--no-index", "--no-color", join("etc", file), join("temp", file)];
    console.error(spawnSync("git", diff, { encoding: "utf8", cwd: folder }).stdout);
    console.error(`The public API differs from etc/${file}. Is that what you want? Then run: pnpm api:update`);
  }
  if (errors.length > 0 || (apiReportChanged && !update)) process.exitCode = 1;
}

function configOf(reportFileName, declarations) {
  const silent = { default: { logLevel: "none" } };
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, declarations),
      newlineKind: "lf",
      compiler: {
        // The workspace's own options without the private condition: siblings are read as a user reads them, from `dist`.
        overrideTsconfig: {
          extends: "../../tsconfig.base.json",
          compilerOptions: { customConditions: [], types: ["node"] },
          include: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName,
        reportFolder: join(folder, "etc"),
        reportTempFolder: join(folder, "temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: { ...silent, "ae-forgotten-export": { logLevel: "error" } },
        // typedoc checks the docstrings, by its own and wider syntax.
        tsdocMessageReporting: silent,
      },
    },
  });
}
