import type { ElicitationResponse, UserDialogResponse } from "@reins/messages";
import { type Answer, type RequestHandler, textOf } from "./inbound-requests.ts";

/** What an MCP server wants to know from the user. */
export interface Elicitation {
  /** The server that asks; one that the CLI dialled, never one of the host. */
  readonly serverName: string;
  readonly message: string;
  /** A form to fill in, or a page to visit. */
  readonly mode?: "form" | "url" | (string & {});
  readonly url?: string;
  /** Comes back in the message `system/elicitation_complete` when a page was dealt with. */
  readonly elicitationId?: string;
  /** JSON Schema of the form. */
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
  /** The order of the form's fields. */
  readonly propertyOrder?: readonly string[];
  readonly title?: string;
  readonly displayName?: string;
  readonly description?: string;
}

/** A dialog that the CLI wants shown. */
export interface UserDialog {
  /** One of the kinds that the host declared. */
  readonly dialogKind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly toolUseID?: string;
}

/** What a callback is told beside the question. */
export interface QuestionOptions {
  /** Aborted when the CLI no longer wants the answer. */
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** Answers a server's question. `null` leaves it to another client of the session; what throws or is no answer cancels. */
export type OnElicitation = {
  /** A method, so that a callback whose types know fewer values is accepted. */
  call(
    request: Elicitation,
    options: QuestionOptions,
  ): Promise<ElicitationResponse | null> | ElicitationResponse | null;
}["call"];

/** Shows a dialog. `null` leaves it to another client of the session; what throws or is no answer cancels. */
export type OnUserDialog = (
  request: UserDialog,
  options: QuestionOptions,
) => Promise<UserDialogResponse | null> | UserDialogResponse | null;

/** Serves `elicitation`. Without a callback every question is declined. */
export function createElicitationHandler(onElicitation: OnElicitation | undefined): RequestHandler {
  if (onElicitation === undefined) return { handle: () => success({ action: "decline" }) };
  return {
    async handle(request, { signal, requestId }) {
      // Renamed by the table; the CLI's types are trusted here.
      const elicitation = renamed(request, elicitationNames) as unknown as Elicitation;
      const answer: unknown = await onElicitation(elicitation, { signal, requestId });
      if (answer === null) return { kind: "none" };
      if (isRecord(answer) && actions.includes(answer["action"])) return success(answer);
      throw new TypeError(`onElicitation gave no answer: its action must be one of ${actions.join(", ")}`);
    },
    onFailure: () => success({ action: "cancel" }),
  };
}

/** Serves `request_user_dialog`. A kind that was not declared is left unanswered: somebody else may show it. */
export function createDialogHandler(onUserDialog: OnUserDialog | undefined, kinds: readonly string[]): RequestHandler {
  return {
    async handle(request, { signal, requestId }) {
      if (onUserDialog === undefined || !kinds.includes(textOf(request["dialog_kind"]))) return { kind: "none" };
      // As above.
      const dialog = renamed(request, dialogNames) as unknown as UserDialog;
      const answer: unknown = await onUserDialog(dialog, { signal, requestId });
      if (answer === null) return { kind: "none" };
      if (isRecord(answer) && (answer["behavior"] === "completed" || answer["behavior"] === "cancelled"))
        return success(answer);
      throw new TypeError('onUserDialog gave no answer: its behavior must be "completed" or "cancelled"');
    },
    // An error would leave the dialog open.
    onFailure: () => success({ behavior: "cancelled" }),
  };
}

const actions: readonly unknown[] = ["accept", "decline", "cancel"];

const elicitationNames: readonly (readonly [string, keyof Elicitation])[] = [
  ["mcp_server_name", "serverName"],
  ["message", "message"],
  ["mode", "mode"],
  ["url", "url"],
  ["elicitation_id", "elicitationId"],
  ["requested_schema", "requestedSchema"],
  ["property_order", "propertyOrder"],
  ["title", "title"],
  ["display_name", "displayName"],
  ["description", "description"],
];

const dialogNames: readonly (readonly [string, keyof UserDialog])[] = [
  ["dialog_kind", "dialogKind"],
  ["payload", "payload"],
  ["tool_use_id", "toolUseID"],
];

function renamed(
  request: Readonly<Record<string, unknown>>,
  names: readonly (readonly [string, string])[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [wireName, name] of names) if (request[wireName] != null) result[name] = request[wireName];
  return result;
}

function success(response: Readonly<Record<string, unknown>>): Answer {
  return { kind: "success", response };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
