import { toBase64 } from "./base64.ts";
import type { CallContext } from "./call-context.ts";
import { type ResourceContents, resourceProblem } from "./content-block.ts";
import { ToolDefinitionError } from "./errors.ts";
import { isRecord, jsonCopy } from "./json.ts";
import { requireType } from "./registration.ts";

/** Something that clients can read by its URI. */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Gives the contents: a text, bytes, or contents with URIs of their own. What it throws becomes the error that the reader gets. */
  readonly read: (context: CallContext) => Promise<ResourceReturn> | ResourceReturn;
}

/** What the `read` of a resource may return. */
export type ResourceReturn = string | Uint8Array | readonly ResourceContents[];

/** @throws {@link ToolDefinitionError} for resources that clients could not list. */
export function registerResources(
  server: string,
  resources: readonly ResourceDefinition[],
): ReadonlyMap<string, ResourceDefinition> {
  const registered = new Map<string, ResourceDefinition>();
  for (const resource of resources) {
    const { uri, name, read } = resource;
    if (typeof uri !== "string" || !URL.canParse(uri))
      throw new ToolDefinitionError(server, `has a resource whose uri is none: ${JSON.stringify(uri)}.`);
    if (registered.has(uri)) throw new ToolDefinitionError(uri, "is the uri of two resources.");
    if (typeof name !== "string" || name === "") throw new ToolDefinitionError(uri, "has no name.");
    if (typeof read !== "function") throw new ToolDefinitionError(uri, "has no read. Give a function.");
    for (const field of ["title", "description", "mimeType"] as const)
      requireType(uri, field, resource[field], "string");
    registered.set(uri, resource);
  }
  return registered;
}

/** The entry of `resources/list`. */
export function listResource({ uri, name, title, description, mimeType }: ResourceDefinition): object {
  return { uri, name, title, description, mimeType };
}

/**
 * The result of `resources/read`.
 *
 * @throws TypeError for what no client takes.
 */
export function toReadResult({ uri, mimeType }: ResourceDefinition, value: unknown): Readonly<Record<string, unknown>> {
  const about = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof value === "string") return { contents: [{ ...about, text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ ...about, blob: toBase64(value) }] };
  const contents = jsonCopy(value);
  if (!Array.isArray(contents)) throw new TypeError(`The resource ${uri} gave no contents.`);
  for (const [index, each] of contents.entries()) {
    const problem = isRecord(each) ? resourceProblem(each) : "is no object";
    if (problem !== undefined) throw new TypeError(`The resource ${uri} gave contents of which ${index} ${problem}.`);
  }
  return { contents };
}
