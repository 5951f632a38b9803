import type { PermissionResult, PermissionUpdate } from "@reins/messages";
import { type RequestHandler, textOf } from "./inbound-requests.ts";

/**
 * Decides whether the CLI may use a tool.
 *
 * Called when the CLI would ask a user: not in modes that allow or deny by themselves, not where an allow rule covers the call, not for
 * read-only commands. Whatever is no clear permission is a denial: an exception, nothing, an unknown shape.
 */
export type CanUseTool = {
  /** A method, so that a callback whose types know fewer values (those of the official SDK, an older version) is accepted. */
  call(
    toolName: string,
    input: Record<string, unknown>,
    options: PermissionRequestOptions,
  ): Promise<PermissionResult> | PermissionResult;
}["call"];

/** What the CLI says beside the tool and its input. Fields that it did not send are absent. */
export interface PermissionRequestOptions {
  /** Aborted when the CLI no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Id of the tool use that is asked about. */
  readonly toolUseID: string;
  /** Id of the control request; the same question asked again after a reconnect has the same id. */
  readonly requestId: string;
  /** Changes of the permission rules that would spare the next question; hand some back as `updatedPermissions`. */
  readonly suggestions?: PermissionUpdate[];
  /** The path that made the CLI ask. */
  readonly blockedPath?: string;
  /** Why the CLI asks, for people. */
  readonly decisionReason?: string;
  /** What kind of reason it is, such as `"hook"`, `"rule"`, `"mode"`. */
  readonly decisionReasonType?: string;
  readonly decisionReasonCode?: string;
  /** The sub-agent that wants to use the tool; absent for the main conversation. */
  readonly agentID?: string;
  /** Words for a dialog. */
  readonly title?: string;
  readonly displayName?: string;
  readonly description?: string;
  /** Whether "always allow" should not be offered, as the CLI sees it. */
  readonly suppressAlwaysAllowRule?: boolean;
  readonly defaultToNo?: boolean;
  /** For a tool of an MCP server: which one. */
  readonly mcpServer?: { readonly name: string; readonly source: string };
  /** The rule that made the CLI ask, where an allow rule covers the call too. */
  readonly matchedAskRule?: {
    readonly source: string;
    readonly toolName: string;
    readonly ruleContent?: string;
  };
  /** True for a tool that is a question to the user itself: AskUserQuestion, ExitPlanMode. */
  readonly requiresUserInteraction?: boolean;
  /** True where a server's own policy is the reason. */
  readonly serverPolicyAskOnly?: boolean;
  /** The whole request as the CLI wrote it. Always there; optional for callbacks that do not know it. */
  readonly request?: Readonly<Record<string, unknown>>;
}

/** Serves `can_use_tool` with a callback, and fails closed. */
export function createPermissionHandler(canUseTool: CanUseTool): RequestHandler {
  return {
    async handle(request, context) {
      const input = isRecord(request["input"]) ? request["input"] : {};
      const toolUseId = textOf(request["tool_use_id"]);
      const options = toOptions(request, context.signal, context.requestId, toolUseId);
      const result: unknown = await canUseTool(textOf(request["tool_name"]), input, options);
      return { kind: "success", response: { ...checkedResult(result, input), toolUseID: toolUseId } };
    },
    onFailure(request, error) {
      const message = `The permission callback failed, so the tool was not used: ${textOf(error)}`;
      return { kind: "success", response: { behavior: "deny", message, toolUseID: textOf(request["tool_use_id"]) } };
    },
  };
}

/**
 * Gives the result as the CLI wants it. Throws where it is no clear answer; the failure then denies. Known members are taken by name,
 * as an instance may have them from its class.
 */
function checkedResult(result: unknown, input: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(result))
    throw new TypeError(`canUseTool returned ${result === null ? "null" : typeof result}, not a permission result`);
  const { behavior, message, interrupt, updatedInput = null, updatedPermissions } = result;
  if (behavior === "deny") {
    // The CLI refuses a denial without a message, and would report a fault instead of the denial.
    return {
      ...result,
      behavior,
      interrupt,
      message: typeof message === "string" ? message : "Denied by the permission callback.",
    };
  }
  if (behavior !== "allow") throw new TypeError(`canUseTool returned the unknown behavior ${textOf(behavior)}`);
  if (updatedInput !== null && !isRecord(updatedInput))
    throw new TypeError("canUseTool returned an updatedInput that is no object");
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions))
    throw new TypeError("canUseTool returned updatedPermissions that are no array");
  // CLIs before 2.1.328 turn an allow without input into a denial, so it is always sent.
  return { ...result, behavior, updatedPermissions, updatedInput: updatedInput ?? input };
}

function toOptions(
  request: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  requestId: string,
  toolUseID: string,
): PermissionRequestOptions {
  const options: Record<string, unknown> = { signal, requestId, toolUseID, request };
  for (const [wireName, name] of wireNames) if (request[wireName] != null) options[name] = request[wireName];
  const rule = options["matchedAskRule"];
  if (isRecord(rule)) {
    const { source, tool_name: toolName, rule_content: ruleContent } = rule;
    options["matchedAskRule"] = { source, toolName, ...(ruleContent !== undefined && { ruleContent }) };
  }
  // The members were copied by the table above; the CLI's types are trusted here.
  return options as unknown as PermissionRequestOptions;
}

const wireNames: readonly (readonly [string, keyof PermissionRequestOptions])[] = [
  ["permission_suggestions", "suggestions"],
  ["blocked_path", "blockedPath"],
  ["decision_reason", "decisionReason"],
  ["agent_id", "agentID"],
  ["title", "title"],
  ["display_name", "displayName"],
  ["description", "description"],
  ["suppress_always_allow_rule", "suppressAlwaysAllowRule"],
  ["default_to_no", "defaultToNo"],
  ["mcp_server", "mcpServer"],
  ["matched_ask_rule", "matchedAskRule"],
  ["decision_reason_type", "decisionReasonType"],
  ["decision_reason_code", "decisionReasonCode"],
  ["requires_user_interaction", "requiresUserInteraction"],
  ["server_policy_ask_only", "serverPolicyAskOnly"],
];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
