// All entries and all examples compile, with each kind of resolution and each TypeScript that docs/versions.md names, and declarations are
// looked into.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../pnpm.mjs";
import { app, catalog, entries, fromRegistry, packages } from "./place.mjs";

const checks = [
  { typescript: "5.6", moduleResolution: "node16" },
  { typescript: "5.9", moduleResolution: "bundler" },
  { typescript: catalog.typescript, moduleResolution: "nodenext" },
  { typescript: "7", moduleResolution: "node16" },
  { typescript: "7", moduleResolution: "bundler" },
];

export async function checkTypes() {
  const source = join(app, "types");
  mkdirSync(source);
  const imports = entries().map((entry, index) => `import * as m${index} from "${entry}";\nvoid m${index};\n`);
  writeFileSync(join(source, "entries.ts"), imports.join(""));
  for (const each of [join(root, "docs"), ...packages.map((one) => one.folder)]) {
    const examples = join(each, "examples");
    if (existsSync(examples)) cpSync(examples, join(source, relative(root, each)), { recursive: true });
  }
  const compilers = checks.map(({ typescript }) => fromRegistry("typescript", typescript, "bin/tsc"));
  const results = [];
  // Two at a time: one takes half a gigabyte.
  const rest = checks.entries();
  const work = async () => {
    for (const [index, check] of rest) results.push(await compile(compilers[index], check));
  };
  await Promise.all([work(), work()]);
  const problems = results.flat();
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function compile(compiler, { typescript, moduleResolution }) {
  const config = join(app, `tsconfig.${typescript}-${moduleResolution}.json`);
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom"],
    module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
    moduleResolution,
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ["types"] }));
  const said = await new Promise((resolve) => {
    execFile(process.execPath, [compiler, "-p", config], { cwd: app, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve(error === null ? "" : `${stdout}${stderr}`.trim() || error.message),
    );
  });
  const lines = said.split("\n").filter((line) => line !== "");
  // Declarations of others are theirs: those of pg need TypeScript 5.7.
  const isOurs = (line) => typescript !== "5.6" || !/^node_modules\/(?!@reins\/)/.test(line);
  return lines.filter(isOurs).map((line) => `TypeScript ${typescript}, ${moduleResolution}: ${line}`);
}
