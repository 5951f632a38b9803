import { isBase64 } from "./base64.ts";
import { isRecord, jsonCopy } from "./json.ts";

/** A block of a result, in the shape of the Model Context Protocol. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string; readonly [field: string]: unknown }
  /** `data` is base64. The CLI shows PNG, JPEG, GIF and WebP to the model, and saves others to a file. */
  | {
      readonly type: "image" | "audio";
      readonly data: string;
      readonly mimeType: string;
      readonly [field: string]: unknown;
    }
  | { readonly type: "resource"; readonly resource: ResourceContents; readonly [field: string]: unknown }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string; readonly [field: string]: unknown };

/** Contents of a resource: text, or base64 as `blob`. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly [field: string]: unknown;
}

/** Gives a copy of a block that is nothing but JSON, or says what is wrong with the block. */
export function checkBlock(block: unknown): { readonly block: ContentBlock } | { readonly problem: string } {
  if (!isRecord(block)) return { problem: "is no object" };
  const fields = { ...block };
  // Long texts and images need no second copy.
  const copy = Object.values(fields).every((value) => typeof value === "string") ? fields : jsonCopy(fields);
  if (!isRecord(copy)) return { problem: "holds something that cannot be written as JSON" };
  const problem = blockProblem(copy);
  // Checked field by field.
  return problem === undefined ? { block: copy as ContentBlock } : { problem };
}

function blockProblem(block: Readonly<Record<string, unknown>>): string | undefined {
  return contentProblem(block) ?? annotationsProblem(block["annotations"]) ?? metaProblem(block["_meta"]);
}

function contentProblem(block: Readonly<Record<string, unknown>>): string | undefined {
  const { type } = block;
  switch (type) {
    case "text":
      return textsProblem(block, ["text"]);
    case "image":
    case "audio":
      return textsProblem(block, ["data", "mimeType"]) ?? base64Problem(block, "data");
    case "resource":
      return isRecord(block["resource"]) ? resourceProblem(block["resource"]) : "has no resource";
    case "resource_link":
      return textsProblem(block, ["uri", "name"], ["title", "description", "mimeType"]);
    default:
      return `is of the unknown type ${JSON.stringify(type)}`;
  }
}

/** Gives what is wrong with the contents of a resource. */
export function resourceProblem(resource: Readonly<Record<string, unknown>>): string | undefined {
  const content = resource["text"] === undefined ? "blob" : "text";
  return (
    textsProblem(resource, ["uri", content], ["mimeType"]) ??
    (content === "blob" ? base64Problem(resource, "blob") : undefined)
  );
}

function textsProblem(
  fields: Readonly<Record<string, unknown>>,
  required: readonly string[],
  optional: readonly string[] = [],
): string | undefined {
  const wrong =
    required.find((name) => typeof fields[name] !== "string") ??
    optional.find((name) => fields[name] !== undefined && typeof fields[name] !== "string");
  return wrong === undefined ? undefined : `has no string as its ${wrong}`;
}

function base64Problem(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return isBase64(String(fields[name])) ? undefined : `has ${name} that is not base64`;
}

function annotationsProblem(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined;
  if (!isRecord(annotations)) return "has annotations that are no object";
  const { audience = [], priority = 0, lastModified = "" } = annotations as Record<string, unknown>;
  const isAudience = Array.isArray(audience) && audience.every((role) => role === "user" || role === "assistant");
  if (!isAudience) return "has an audience that is no list of user and assistant";
  if (typeof priority !== "number" || priority < 0 || priority > 1) return "has a priority that is not from 0 to 1";
  return typeof lastModified === "string" ? undefined : "has no string as its lastModified";
}

function metaProblem(meta: unknown): string | undefined {
  return meta === undefined || isRecord(meta) ? undefined : "has a _meta that is no object";
}
