import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "tsdown";
import { expect, onTestFinished, test } from "vitest";

test("the built file runs where there is nothing but the web's own", async () => {
  const outDir = await mkdtemp(join(tmpdir(), `reins-web-only-${process.pid}-`));
  onTestFinished(() => rm(outDir, { recursive: true }));
  await build({ cwd: join(import.meta.dirname, ".."), outDir, dts: false, sourcemap: false, logLevel: "silent" });
  expect(await readdir(outDir)).toEqual(["index.js"]);
  const module = await readFile(join(outDir, "index.js"), "utf8");
  expect(module).not.toMatch(/\bnode:|\brequire\(/);

  const web = { TextEncoder, TextDecoder, ReadableStream, WritableStream, TransformStream };
  // A script in place of a module, since contexts take modules only behind a flag.
  const script = module.replace(/export \{([^}]*)\};/, (_, names: string) => `globalThis.streamjson = { ${names} };`);
  const context = createContext({ ...web });
  runInContext(script, context);
  const result: unknown = await runInContext(
    `(async () => {
      const { decodeFrames, encodeFrame, FrameWriter, frameType } = streamjson;
      const pipe = new TransformStream();
      const writer = new FrameWriter(pipe.writable);
      const writing = writer.write({ type: "user", text: "\\u2028" }).then(() => writer.end());
      const values = [];
      for await (const frame of decodeFrames(pipe.readable)) values.push(frame.value);
      await writing;
      return JSON.stringify([values, frameType('{"type":"a"}'), encodeFrame({ a: 1 }), typeof process, typeof Buffer]);
    })()`,
    context,
  );
  expect(JSON.parse(String(result))).toEqual([
    [{ type: "user", text: "\u2028" }],
    "a",
    '{"a":1}\n',
    "undefined",
    "undefined",
  ]);
});
