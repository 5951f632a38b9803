import type {
  Elicitation,
  ElicitationResult,
  PermissionRequestOptions,
  PermissionResult,
  PermissionUpdate,
  UserDialog,
  UserDialogResult,
} from "@reins/sdk";
import { type JsonRecord, recordOf, recordsOf, textOf } from "./json-value.ts";

/** What a person is asked. */
export interface PromptRequest {
  /**
   * `confirm`: may this tool be used, is this plan good (its `tool_name` is ExitPlanMode). `question`: AskUserQuestion. `form` and
   * `url` come from an MCP server, `dialog` from the CLI.
   */
  readonly type: "confirm" | "question" | "form" | "url" | "dialog";
  /** The question in words, for want of a better one. */
  readonly message: string;
  readonly metadata: PromptMetadata;
  /** Aborted when nobody wants the answer any more: the turn was interrupted, a hook has answered, the session ended. */
  readonly signal: AbortSignal;
}

/** What a question is about. Which members there are depends on its type. */
export interface PromptMetadata {
  readonly tool_name?: string;
  readonly tool_input?: JsonRecord;
  readonly tool_use_id?: string;
  /** The folder of the session. */
  readonly working_directory: string;
  /** The sub-agent that wants to use the tool. */
  readonly agent_id?: string;
  /** The Agent call that started it. */
  readonly agent_tool_use_id?: string;
  /** The rules that `"always"` would add. */
  readonly suggestions?: readonly PermissionUpdate[];
  /** Whether `"always"` should not be offered; it allows once then. */
  readonly suppress_always?: boolean;
  /** AskUserQuestion: what is asked, with `question`, `header`, `options` and `multiSelect`. */
  readonly questions?: readonly JsonRecord[];
  /** ExitPlanMode: the plan, in markdown. */
  readonly plan?: string;
  readonly plan_file_path?: string;
  /** The server that asks, the JSON Schema of its form, or the page to visit. */
  readonly server_name?: string;
  readonly requested_schema?: JsonRecord;
  readonly url?: string;
  /** The kind of a dialog of the CLI, and what it shows. */
  readonly dialog_kind?: string;
  readonly payload?: JsonRecord;
  /** The request as the CLI sent it, where there is more to know: title, description, reasons. */
  readonly request?: JsonRecord;
}

/**
 * The answer to a question. Whatever is no clear yes is a no.
 *
 * `confirm`: `true` allows once, `"always"` for the rest of the session, `{ updatedInput }` with another input. `question`: a record of
 * the question's text to the label that was chosen, or to several. `form` and `dialog`: what was filled in. `url`: `true` once it was
 * visited.
 */
export interface PromptResponse {
  readonly value?: unknown;
  readonly cancelled?: boolean | undefined;
  /** Said to the model where it is a no. */
  readonly message?: string | undefined;
}

/** Asks a person. Called at the same time for questions that come at the same time. */
export type PromptFn = (request: PromptRequest) => PromptResponse | undefined | Promise<PromptResponse | undefined>;

/** Asks about a tool call, and gives the answer as the CLI wants it. */
export async function askPermission(
  ask: (request: PromptRequest) => Promise<PromptResponse>,
  toolName: string,
  toolInput: JsonRecord,
  options: PermissionRequestOptions,
  session: { readonly workingDirectory: string; readonly agentToolUseId: string | undefined },
): Promise<PermissionResult> {
  const { signal, suggestions, suppressAlwaysAllowRule, request, agentID } = options;
  const metadata: PromptMetadata = {
    tool_name: toolName,
    tool_input: toolInput,
    tool_use_id: options.toolUseID,
    working_directory: session.workingDirectory,
    ...(agentID !== undefined && { agent_id: agentID }),
    ...(session.agentToolUseId !== undefined && { agent_tool_use_id: session.agentToolUseId }),
    ...(suggestions && { suggestions }),
    ...(suppressAlwaysAllowRule !== undefined && { suppress_always: suppressAlwaysAllowRule }),
    ...(request && { request }),
  };
  if (toolName === "AskUserQuestion") {
    const questions = recordsOf(toolInput["questions"]);
    const message = questions.flatMap(({ question }) => textOf(question) ?? []).join("\n");
    const answer = await ask({ type: "question", message, metadata: { ...metadata, questions }, signal });
    const answers = answer.cancelled ? undefined : answersOf(answer.value);
    if (answers === undefined) return denial(answer, "The user did not answer.");
    return { behavior: "allow", updatedInput: { ...toolInput, answers } };
  }
  const plan = toolName === "ExitPlanMode" ? planOf(toolInput) : {};
  const message = toolName === "ExitPlanMode" ? "Approve the plan?" : (options.title ?? `Allow ${toolName}?`);
  const answer = await ask({ type: "confirm", message, metadata: { ...metadata, ...plan }, signal });
  const { value } = answer;
  if (answer.cancelled) return denial(answer);
  if (value === true) return { behavior: "allow", updatedInput: toolInput };
  if (value === "always") {
    if (suppressAlwaysAllowRule || toolName === "ExitPlanMode") return { behavior: "allow", updatedInput: toolInput };
    return { behavior: "allow", updatedInput: toolInput, updatedPermissions: rulesFor(toolName, suggestions) };
  }
  const updatedInput = recordOf(recordOf(value)?.["updatedInput"]);
  return updatedInput === undefined ? denial(answer) : { behavior: "allow", updatedInput };
}

/** Asks what an MCP server wants to know. */
export async function askElicitation(
  ask: (request: PromptRequest) => Promise<PromptResponse>,
  elicitation: Elicitation,
  signal: AbortSignal,
  workingDirectory: string,
): Promise<ElicitationResult> {
  const { mode, message, serverName, url, requestedSchema } = elicitation;
  const metadata: PromptMetadata = {
    working_directory: workingDirectory,
    server_name: serverName,
    ...(url !== undefined && { url }),
    ...(requestedSchema && { requested_schema: requestedSchema }),
  };
  const type = mode === "url" ? "url" : "form";
  const { value, cancelled } = await ask({ type, message, metadata, signal });
  if (cancelled || value === undefined || value === false) return { action: "decline" };
  const content = recordOf(value);
  if (type === "form" && content === undefined) return { action: "decline" };
  return { action: "accept", ...(content && { content }) };
}

/** Shows a dialog of the CLI. */
export async function askDialog(
  ask: (request: PromptRequest) => Promise<PromptResponse>,
  dialog: UserDialog,
  signal: AbortSignal,
  workingDirectory: string,
): Promise<UserDialogResult> {
  const { dialogKind, payload, toolUseID } = dialog;
  const metadata: PromptMetadata = {
    working_directory: workingDirectory,
    dialog_kind: dialogKind,
    payload,
    ...(toolUseID !== undefined && { tool_use_id: toolUseID }),
  };
  const { value, cancelled } = await ask({ type: "dialog", message: dialogKind, metadata, signal });
  if (cancelled || value === undefined) return { behavior: "cancelled" };
  return { behavior: "completed", result: value };
}

function denial({ message }: PromptResponse, otherwise = "The action was not approved."): PermissionResult {
  return { behavior: "deny", message: message ?? otherwise };
}

/** The rules that spare the next question, in this session only: nothing is written to a file. */
function rulesFor(toolName: string, suggestions: readonly PermissionUpdate[] = []): PermissionUpdate[] {
  if (suggestions.length > 0) return suggestions.map((update) => ({ ...update, destination: "session" as const }));
  return [{ type: "addRules", rules: [{ toolName }], behavior: "allow", destination: "session" }];
}

/** Several labels for one question are joined by commas. */
function answersOf(value: unknown): Record<string, string> | undefined {
  const record = recordOf(value);
  if (record === undefined) return undefined;
  const entries = Object.entries(record).map(([question, answer]) => {
    return [question, Array.isArray(answer) ? answer.map(String).join(", ") : String(answer)] as const;
  });
  return Object.fromEntries(entries);
}

function planOf(input: JsonRecord): Partial<PromptMetadata> {
  const plan = textOf(input["plan"]);
  const path = textOf(input["planFilePath"]);
  return { ...(plan !== undefined && { plan }), ...(path !== undefined && { plan_file_path: path }) };
}
