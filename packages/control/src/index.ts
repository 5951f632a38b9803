// The public surface of @reins/control, by name.
export { ControlClient, type ControlClientOptions, type InterruptReceipt, type RequestOptions } from "./client.ts";
export type { Diagnostic } from "./diagnostic.ts";
export { ControlError, ControlTimeoutError, NoResultError, ResultError, SessionClosedError } from "./errors.ts";
export type { HookCallback, HookMatcher, Hooks } from "./hooks.ts";
export type { Answer, RequestContext, RequestFields, RequestHandler } from "./inbound-requests.ts";
export type { InProcessConnection, InProcessServer, JsonRpcMessage } from "./mcp-router.ts";
export type { MessageQueue } from "./message-queue.ts";
export type { CanUseTool, PermissionRequestOptions } from "./permissions.ts";
export type { SessionState } from "./run-state.ts";
