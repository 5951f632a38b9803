import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** An image as the API takes it. */
interface ImageBlock {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
}

export interface AttachedImage {
  /** The path as it was written. */
  readonly path: string;
  readonly bytes: number;
  readonly block: ImageBlock;
}

/** What was meant to be an image, and why it is none. */
export interface ImageProblem {
  readonly path: string;
  readonly problem: string;
}

/** The API takes 5 MB of base64, which is this much of a file. */
const maxBytes = 3_750_000;
/** More are not looked at: the API takes 100 in a request of 32 MB. */
const maxImages = 8;

/**
 * Reads the images whose paths stand in a message: what a terminal writes when a file is dropped on it. Paths may be absolute, begin with
 * `~/`, `./` or `../`, be `file:` URLs, in quotes, or have backslashes before their spaces. What looks like a path but is no file is text.
 */
export async function imagesIn(
  text: string,
  cwd: string,
): Promise<{ readonly images: readonly AttachedImage[]; readonly problems: readonly ImageProblem[] }> {
  const images: AttachedImage[] = [];
  const problems: ImageProblem[] = [];
  for (const path of imagePaths(text).slice(0, maxImages)) {
    const result = await readImage(path, cwd);
    if (result === undefined) continue;
    if ("problem" in result) problems.push(result);
    else images.push(result);
  }
  return { images, problems };
}

/** The words of a text that may be paths of images, each once. */
export function imagePaths(text: string): string[] {
  const words = text.matchAll(/"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s"'\\])+)/g);
  const paths = Array.from(words, ([, double, single, bare = ""]) => double ?? single ?? bare.replace(/\\(.)/g, "$1"));
  const isPath = (word: string): boolean =>
    /\.(png|jpe?g|gif|webp)$/i.test(word) && /^(\/|~\/|\.{1,2}\/|file:\/\/)/.test(word);
  return [...new Set(paths.filter(isPath))];
}

async function readImage(path: string, cwd: string): Promise<AttachedImage | ImageProblem | undefined> {
  try {
    // Without O_NONBLOCK opening a pipe would wait for its writer.
    await using file = await open(fileOf(path, cwd), constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return { path, problem: "it is no file" };
    const { size } = stats;
    if (size > maxBytes)
      return { path, problem: `it has ${(size / 1e6).toFixed(1)} MB, and the API takes 3.75 at most` };
    // One byte more than there should be: the file may grow while it is read.
    const buffer = Buffer.alloc(size + 1);
    const { bytesRead } = await file.read(buffer, 0, size + 1, 0);
    const data = buffer.subarray(0, bytesRead);
    const media_type = mediaTypeOf(data);
    if (media_type === undefined) return { path, problem: "it is neither PNG, JPEG, GIF nor WebP" };
    const block: ImageBlock = { type: "image", source: { type: "base64", media_type, data: data.toString("base64") } };
    return { path, bytes: data.length, block };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { path, problem: error instanceof Error ? error.message : String(error) };
  }
}

function fileOf(path: string, cwd: string): string {
  if (path.startsWith("file://")) return fileURLToPath(path);
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** By its first bytes: the API refuses an image whose type is not what it says. */
function mediaTypeOf(data: Buffer): string | undefined {
  const head = data.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8) === "WEBP") return "image/webp";
  return undefined;
}
