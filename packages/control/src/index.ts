// The public surface of @reins/control, by name.
export { ControlClient } from "./client.ts";
export type { ControlClientOptions } from "./client-options.ts";
export { ControlMethods, type RequestFieldsOf, type RequestOptions, type ResponseOf } from "./control-methods.ts";
export type { Diagnostic } from "./diagnostic.ts";
export {
  CapabilityError,
  ControlError,
  ControlTimeoutError,
  NoResultError,
  ResultError,
  ResumeError,
  SessionClosedError,
  TurnEndedError,
} from "./errors.ts";
export type { HookCallback, HookMatcher, Hooks } from "./hooks.ts";
export { hooksInOrder } from "./hooks-in-order.ts";
export type { Answer, RequestContext, RequestFields, RequestHandler } from "./inbound-requests.ts";
export type { InProcessConnection, InProcessServer, JsonRpcMessage, McpSession } from "./mcp-router.ts";
export { serverNamesProblem } from "./mcp-server-names.ts";
export type { MessageQueue } from "./message-queue.ts";
export type { CanUseTool, PermissionRequestOptions } from "./permissions.ts";
export type { SessionState } from "./run-state.ts";
export type { Turn, TurnState } from "./turn-tracker.ts";
export type { Elicitation, OnElicitation, OnUserDialog, QuestionOptions, UserDialog } from "./user-questions.ts";
