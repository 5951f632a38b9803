import { readFile } from "node:fs/promises";
import { type ContentResult, toolResult } from "../tool-result.ts";

/**
 * An image from a file, for a handler to return or to put into `toolResult.content`.
 *
 * @param mimeType Default: what the bytes say, for PNG, JPEG, GIF and WebP.
 * @throws the error of the file system, which the model then reads; TypeError for bytes of a type that has to be said.
 * @example
 * return imageFile("chart.png");
 */
export async function imageFile(path: string | URL, mimeType?: string): Promise<ContentResult> {
  return toolResult.image(await readFile(path), mimeType);
}
