import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imagePaths, imagesIn } from "./images.ts";

test.each([
  ["/a/b.png", ["/a/b.png"]],
  ["look at ~/b.JPG, please", []],
  ["look at ~/b.JPG please", ["~/b.JPG"]],
  ["'/a b/c.webp' \"./d e.gif\"", ["/a b/c.webp", "./d e.gif"]],
  ["/a\\ b/c\\'d.jpeg", ["/a b/c'd.jpeg"]],
  ["file:///a%20b.png /x.png /x.png", ["file:///a%20b.png", "/x.png"]],
  ["don't read logo.png or src/logo.png or https://example.com/x.png", []],
])("finds the paths in %j", (text, paths) => {
  expect(imagePaths(text)).toEqual(paths);
});

test("reads what is an image, says why something is none, and leaves the rest alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "chat-images-"));
  try {
    const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
    // A JPEG with the name of a PNG is sent as what it is.
    await writeFile(join(folder, "a.png"), Buffer.from("\xff\xd8\xff\xe0", "latin1"));
    await writeFile(join(folder, "b c.png"), png);
    await writeFile(join(folder, "text.png"), "text");
    await writeFile(join(folder, "large.png"), Buffer.concat([png, Buffer.alloc(4_000_000)]));
    await mkdir(join(folder, "folder.png"));
    const { images, problems } = await imagesIn(
      `./a.png 'file://${folder}/b%20c.png' ./text.png ./large.png ./folder.png ./missing.png`,
      folder,
    );
    expect(images.map(({ path, bytes, block }) => [path, bytes, block.source.media_type])).toEqual([
      ["./a.png", 4, "image/jpeg"],
      [`file://${folder}/b%20c.png`, 12, "image/png"],
    ]);
    expect(Buffer.from(images[1]!.block.source.data, "base64")).toEqual(png);
    expect(problems).toEqual([
      { path: "./text.png", problem: "it is neither PNG, JPEG, GIF nor WebP" },
      { path: "./large.png", problem: "it has 4.0 MB, and the API takes 3.75 at most" },
      { path: "./folder.png", problem: "it is no file" },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
