import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { SideRequest } from "./request.ts";

/** Reads a request as it is recorded; `undefined` when the client goes away before its end. */
export async function readRequest(incoming: IncomingMessage): Promise<SideRequest | undefined> {
  try {
    const text = (await buffer(incoming)).toString("utf8");
    return { ...withoutBody(incoming), body: parseBody(text) };
  } catch {
    return undefined;
  }
}

/** A request of which only the head is of interest. */
export function withoutBody(incoming: IncomingMessage): SideRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined) continue;
    headers[name] = SECRET_HEADERS.includes(name) ? "<redacted>" : [value].flat().join(", ");
  }
  return { method: incoming.method ?? "", path: incoming.url ?? "", headers, body: undefined };
}

const SECRET_HEADERS: readonly string[] = ["authorization", "cookie", "proxy-authorization", "x-api-key"];

function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
