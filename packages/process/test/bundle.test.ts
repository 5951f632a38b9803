import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findTestBinary } from "@reins/testkit";
import { build } from "vite";
import { expect, test } from "vitest";
import { SUPPORTED_CLI_VERSION } from "../src/index.ts";
import { scratchFolder } from "./setup.ts";

test("bundled into one file with all that it imports, it works anywhere", async () => {
  using folder = scratchFolder();
  const entry = folder.write(
    "host.mts",
    `import { buildLaunch, locateClaude, startClaude } from ${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))};
     const { path, version } = locateClaude({ path: process.argv[2] });
     const launch = buildLaunch({ pathToClaudeCodeExecutable: process.execPath, executableArgs: ["-p", "'{}'"], env: {} });
     const claude = startClaude({ ...launch, args: ["-p", "'{}'"] });
     for await (const [frame] of claude.frames) process.stdout.write(frame.text);
     process.stdout.write(" " + (await version()));`,
  );
  await build({
    configFile: false,
    logLevel: "silent",
    root: join(import.meta.dirname, ".."),
    resolve: { conditions: ["@reins/source", "node"] },
    ssr: { noExternal: true, resolve: { conditions: ["@reins/source", "node"] } },
    build: {
      ssr: entry,
      outDir: join(folder.path, "out"),
      minify: true,
      rolldownOptions: { output: { entryFileNames: "host.mjs" } },
    },
  });
  expect(readdirSync(join(folder.path, "out"))).toEqual(["host.mjs"]);
  const output = execFileSync(process.execPath, [join(folder.path, "out", "host.mjs"), findTestBinary()], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(output).toBe(`{} ${SUPPORTED_CLI_VERSION}`);
});
