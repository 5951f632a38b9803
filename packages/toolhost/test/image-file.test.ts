import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { imageFile } from "../src/files/index.ts";

test("an image is read from a path or a file URL, and its type from its bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reins-image-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "dot");
  const png = Buffer.from("89504e470d0a1a0a", "hex");
  await writeFile(path, png);
  const image = { content: [{ type: "image", data: png.toString("base64"), mimeType: "image/png" }] };
  expect(await imageFile(path)).toEqual(image);
  expect(await imageFile(pathToFileURL(path))).toEqual(image);
  await writeFile(path, "plain");
  await expect(imageFile(path)).rejects.toBeInstanceOf(TypeError);
  expect(await imageFile(path, "image/svg+xml")).toMatchObject({ content: [{ mimeType: "image/svg+xml" }] });
  await expect(imageFile(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
});
