/** A JSON-RPC 2.0 message: a request (`method` and `id`), a notification (`method` alone), or a response (`id` alone). */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: JsonRpcId | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Id of a request. `0` and `""` are ids, and `1` is not `"1"`. */
export type JsonRpcId = string | number;

/** How a request ended, without the id that makes a response of it. */
export type Outcome = Pick<JsonRpcMessage, "result" | "error">;

/** A request that is answered with a JSON-RPC error. */
export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;
/** The code of the Model Context Protocol for a resource that is not there. */
export const resourceNotFound = -32002;

export function notificationMessage(method: string, params: unknown): JsonRpcMessage {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }) };
}

/** @param id `null` where the request had none that can be told. */
export function errorMessage(id: JsonRpcId | null, code: number, message: string): JsonRpcMessage {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

export function isJsonRpcId(value: unknown): value is JsonRpcId {
  return typeof value === "string" || typeof value === "number";
}
