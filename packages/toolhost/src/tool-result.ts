import { imageTypeOf, isBase64, toBase64 } from "./base64.ts";
import type { ContentBlock } from "./content-block.ts";
import { toJson } from "./json.ts";

/** The result of a tool call, in the shape of the Model Context Protocol. */
export interface CallToolResult {
  /** What the model reads. The CLI moves long ones to a file, see `maxResultSizeChars` of a tool; error texts are cut at 10,000. */
  readonly content?: readonly ContentBlock[];
  /** Data for programs. Given this, the CLI shows the model its JSON **in place of** `content` (verified against 2.1.328). */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** The tool failed; the texts of `content` say how, and what is no text is dropped by the CLI. */
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A result that is nothing but blocks, to be returned or put into {@link toolResult}`.content`. */
export interface ContentResult {
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
}

/** Makes results for handlers to return. */
export interface ToolResultHelpers {
  /** Texts, one block each. */
  readonly text: (...texts: readonly string[]) => ContentResult;
  /**
   * Data as JSON, which the model reads as text.
   *
   * @throws TypeError for what JSON cannot carry.
   */
  readonly json: (value: unknown) => ContentResult;
  /**
   * An image. The model sees PNG, JPEG, GIF and WebP; the CLI saves others to a file and says where.
   *
   * @param data The bytes of the file, or its base64.
   * @param mimeType Default: what the bytes say, for the four types that the model sees.
   * @throws TypeError for a text that is no base64, such as a path, and for bytes of a type that has to be said.
   * @example
   * return toolResult.image(await readFile("chart.png"));
   */
  readonly image: (data: Uint8Array | ArrayBuffer | string, mimeType?: string) => ContentResult;
  /** A failure, in words for the model. The same as to throw it. */
  readonly error: (text: string) => ContentResult;
  /** Several parts in one result: texts, blocks, and what the other helpers make. An error among them makes the result one. */
  readonly content: (parts: readonly (string | ContentBlock | ContentResult)[]) => ContentResult;
}

/**
 * Makes results for handlers to return.
 *
 * @example
 * return toolResult.content(["The chart:", toolResult.image(png)]);
 */
export const toolResult: ToolResultHelpers = { text, json, image, error, content };

function text(...texts: readonly string[]): ContentResult {
  return { content: texts.map((each) => ({ type: "text", text: each })) };
}

function json(value: unknown): ContentResult {
  const written = toJson(value);
  if (written === undefined) throw new TypeError(`A value of type ${typeof value} cannot be written as JSON.`);
  return text(written);
}

function image(data: Uint8Array | ArrayBuffer | string, mimeType?: string): ContentResult {
  const base64 = typeof data === "string" ? data : toBase64(new Uint8Array(data));
  if (!isBase64(base64)) throw new TypeError("The image is no base64. Give the bytes of the file, not its path.");
  const type = mimeType ?? imageTypeOf(base64);
  if (type === undefined) throw new TypeError("The image is no PNG, JPEG, GIF or WebP. Say its type.");
  return { content: [{ type: "image", data: base64, mimeType: type }] };
}

function error(message: string): ContentResult {
  return { ...text(message), isError: true };
}

function content(parts: readonly (string | ContentBlock | ContentResult)[]): ContentResult {
  const results = parts.map((part) => {
    if (typeof part === "string") return text(part);
    return isResult(part) ? part : { content: [part] };
  });
  return {
    content: results.flatMap((result) => result.content),
    ...(results.some(({ isError }) => isError) && { isError: true }),
  };
}

function isResult(part: ContentBlock | ContentResult): part is ContentResult {
  return Array.isArray(part.content);
}
