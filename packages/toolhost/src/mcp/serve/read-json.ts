import type { IncomingMessage } from "node:http";

/** What became of the body of a request. */
export type JsonBody =
  | { readonly value: unknown }
  | { readonly status: number; readonly code: number; readonly problem: string };

/** Reads a body that is JSON. Not left to the MCP SDK: its limit for bodies is younger than the versions that it may have here. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Destroyed, it could not be answered.
  const body: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return { status: 413, code: -32000, problem: `The request is longer than ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { status: 400, code: -32700, problem: "Parse error" };
  }
}
