import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { isReinsError } from "@reins/streamjson";
import { build } from "tsdown";
import { expect, onTestFinished, test } from "vitest";

/** Builds the package as it is published, but into a folder of its own, and gives the text of its only file. */
async function buildEntry(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "reins-web-only-"));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  await build({ cwd, outDir, dts: false, sourcemap: false, logLevel: "silent" });
  expect(await readdir(outDir)).toEqual(["index.js"]);
  return readFile(join(outDir, "index.js"), "utf8");
}

test("the built entry imports nothing and runs where there is nothing but what every browser has", async () => {
  const module = await buildEntry();
  expect(module).not.toMatch(/\bimport\b|\brequire\b|["']node:/);

  // As a script, since a context takes modules only behind a flag of Node.
  const exports = /^export \{ ([\w, ]+) \};$/m;
  const script = module.replace(exports, "const streamjson = { $1 };");
  expect(script).not.toMatch(/^export\b/m);
  const web = { ReadableStream, TextDecoder, TextEncoder, TransformStream, WritableStream };
  const context = createContext({ ...web });
  runInContext(script, context);
  const scenario = await readFile(new URL("fixtures/web-only.js", import.meta.url), "utf8");
  const { thrown, ...seen } = await runInContext(scenario, context);

  // Through JSON, as the objects of another context have other prototypes.
  expect(JSON.parse(JSON.stringify(seen))).toEqual({
    piped: [["user", "\u2028ß", 33]],
    decoded: [1, "REINS_FRAME_MALFORMED", 2],
    transformed: [1, 2, true],
    sent: '{"a":1}\n',
    closed: [true, { code: null, signal: null, stderrTail: "" }],
    queued: [1],
    node: ["undefined", "undefined", "undefined", "undefined"],
  });
  expect(thrown).not.toBeInstanceOf(Error);
  expect(isReinsError(thrown)).toBe(true);
});
