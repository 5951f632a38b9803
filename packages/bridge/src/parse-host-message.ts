import type { Frame } from "@reins/streamjson";
import type { BridgeErrorCode, HostMessage } from "./protocol.ts";
import { hostMessageSchemas } from "./schemas.ts";

/** A message of the host, or why the line is none. */
export type ParsedLine =
  | { readonly message: HostMessage }
  | {
      readonly problem: { readonly code: BridgeErrorCode; readonly message: string };
      /** What can be read all the same. */
      readonly type?: string;
      readonly id?: string;
    };

/** Lets through what is on the list of messages, in exactly the form that it has there. */
export function parseHostMessage(frame: Frame): ParsedLine {
  if (frame.error !== undefined) return { problem: { code: "bad_line", message: frame.error.message } };
  const { value } = frame;
  const type = typeof value.type === "string" ? value.type : undefined;
  const id = typeof value["id"] === "string" ? value["id"] : undefined;
  const about = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) };
  if (type === undefined || !isHostType(type)) {
    const message = `Hosts send ${Object.keys(hostMessageSchemas).join(", ")}, and nothing else passes.`;
    return { problem: { code: "unknown_type", message }, ...about };
  }
  const parsed = hostMessageSchemas[type].safeParse(value);
  if (parsed.success) return { message: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? type : `${type}.${issue.path.join(".")}`;
  return { problem: { code: "bad_message", message: `${where}: ${issue?.message ?? "is wrong"}` }, ...about };
}

function isHostType(type: string): type is HostMessage["type"] {
  return Object.hasOwn(hostMessageSchemas, type);
}
