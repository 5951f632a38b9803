import type { FrameValue } from "@reins/streamjson";
import { Draft, own, withEntry } from "./draft.ts";
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from "./json-value.ts";
import { agentCallOf, stopAsked, taskEnded, taskProgressed, taskStarted, taskUpdated } from "./reduce-agents.ts";
import { blocksCame, streamEventCame } from "./reduce-chunks.ts";
import { reach, textOfContent, toolProgressed, toolRequested, toolResultsCame } from "./reduce-tools.ts";
import { lifecycleReported, promptAccepted, promptSent, resultCame, sessionEnded, turnBegun } from "./reduce-turns.ts";
import type { RuntimeEvent } from "./runtime-event.ts";
import type { OpenRequest, RuntimeState } from "./runtime-state.ts";

/** What the reducer is told of a frame beside the frame. */
export interface FrameContext {
  /** Who wrote it: `in` the CLI, `out` the host. Default `in`. */
  readonly direction?: "in" | "out" | undefined;
  /** When, in milliseconds since 1970. Default: the frame's own timestamp, or that of the frame before. */
  readonly time?: number | undefined;
}

/** What a frame leads to. */
export interface RuntimeStep {
  readonly events: readonly RuntimeEvent[];
  readonly state: RuntimeState;
}

/**
 * Tells what a frame means for an interface: the runtime events it leads to, and the state for the next frame.
 *
 * Pure, so the same frames give the same events, in a browser as over a log. Give it all frames of a session, in order. With the
 * frames of the CLI alone, turns and tools are known; with those of the host too (`direction: "out"`), the events have the turns'
 * beginnings as the host saw them, permissions that were given, hooks that stopped a turn, and agents that were told to end.
 *
 * Whatever the order of the frames, each `turn.started` is followed by exactly one `turn.completed` or `turn.failed`, once
 * {@link endRuntimeEvents} has told it that no more will come. Frames that it does not know give no events.
 *
 * @example
 * let state = initialRuntimeState();
 * for (const frame of frames) {
 *   const step = toRuntimeEvents(frame, state);
 *   state = step.state;
 *   for (const event of step.events) show(event);
 * }
 */
export function toRuntimeEvents(frame: FrameValue, state: RuntimeState, context: FrameContext = {}): RuntimeStep {
  const draft = new Draft(state);
  const value: JsonRecord = frame;
  const time = context.time ?? timeOf(value["timestamp"]);
  if (time !== undefined && time !== state.time) draft.patch({ time });
  if (context.direction === "out") hostFrame(draft, value);
  else cliFrame(draft, value);
  return { events: draft.events, state: draft.state };
}

/**
 * Tells what it means that no frame will come any more: the turns that are open have failed.
 *
 * @param options.text Why, for {@link TurnFailed.text}. Default: that the session ended.
 */
export function endRuntimeEvents(
  state: RuntimeState,
  options: { readonly text?: string | undefined; readonly time?: number | undefined } = {},
): RuntimeStep {
  const draft = new Draft(state);
  if (options.time !== undefined) draft.patch({ time: options.time });
  sessionEnded(draft, options.text ?? "The session ended in the middle of the turn.");
  return { events: draft.events, state: draft.state };
}

function cliFrame(draft: Draft, frame: JsonRecord): void {
  const sessionId = textOf(frame["session_id"]);
  if (sessionId !== undefined && sessionId !== "" && sessionId !== draft.state.sessionId) draft.patch({ sessionId });
  switch (frame["type"]) {
    case "stream_event":
      streamEventCame(draft, frame);
      return;
    case "assistant":
      assistantCame(draft, frame);
      return;
    case "user":
      if (frame["isReplay"] !== true) toolResultsCame(draft, frame);
      return;
    case "result":
      resultCame(draft, frame);
      return;
    case "system":
      systemCame(draft, frame);
      return;
    case "tool_progress":
      toolProgressed(draft, frame);
      return;
    case "command_lifecycle":
      lifecycleReported(draft, frame);
      return;
    case "active_goal":
      draft.emit("goal.updated", { goal: recordOf(frame["value"]) ?? null });
      return;
    case "control_request":
      requestCame(draft, frame);
      return;
    case "control_cancel_request":
      closeRequest(draft, frame["request_id"]);
  }
}

function hostFrame(draft: Draft, frame: JsonRecord): void {
  switch (frame["type"]) {
    case "user":
      promptSent(draft, frame);
      return;
    case "control_response":
      answered(draft, recordOf(frame["response"]) ?? {});
      return;
    case "control_request": {
      const request = recordOf(frame["request"]) ?? {};
      if (request["subtype"] === "stop_task") stopAsked(draft, request);
      if (request["subtype"] === "mcp_message") serverSpoke(draft, recordOf(request["message"]) ?? {});
    }
  }
}

function assistantCame(draft: Draft, frame: JsonRecord): void {
  const agentToolUseId = textOf(frame["parent_tool_use_id"]);
  const message = recordOf(frame["message"]) ?? {};
  blocksCame(draft, frame);
  for (const block of recordsOf(message["content"]))
    if (block["type"] === "tool_use") toolRequested(draft, block, agentToolUseId);
  // The CLI's own words about a goal; the structured frame comes with servers that know of goals.
  const text = message["model"] === "<synthetic>" ? textOfContent(message["content"]) : "";
  if (/^Goal (set|cleared)\b/.test(text)) {
    const condition = /^Goal set: (.*)/s.exec(text)?.[1];
    draft.emit("goal.updated", { goal: condition === undefined ? null : { condition }, text });
  }
}

function systemCame(draft: Draft, frame: JsonRecord): void {
  switch (frame["subtype"]) {
    case "init":
      turnBegun(draft, frame);
      modeReported(draft, frame);
      return;
    case "status":
      modeReported(draft, frame);
      return;
    case "compact_boundary":
      compacted(draft, recordOf(frame["compact_metadata"]) ?? {});
      return;
    case "informational":
      noticed(draft, frame);
      return;
    case "task_started":
      taskStarted(draft, frame);
      return;
    case "task_progress":
      taskProgressed(draft, frame);
      return;
    case "task_updated":
      taskUpdated(draft, frame);
      return;
    case "task_notification":
      taskEnded(draft, frame);
  }
}

function modeReported(draft: Draft, frame: JsonRecord): void {
  const to = textOf(frame["permissionMode"]);
  const from = draft.state.permissionMode;
  if (to === undefined || to === from) return;
  draft.patch({ permissionMode: to });
  if (from !== undefined) draft.emit("execution_mode.changed", { from, to });
}

function compacted(draft: Draft, metadata: JsonRecord): void {
  const compaction = {
    trigger: textOf(metadata["trigger"]),
    preTokens: numberOf(metadata["pre_tokens"]),
    postTokens: numberOf(metadata["post_tokens"]),
    durationMs: numberOf(metadata["duration_ms"]),
    summary: draft.state.summary,
  };
  draft.patch({ summary: undefined });
  if (draft.turn === undefined) draft.emit("context.compacted", compaction);
  else draft.patch({ compactions: [...draft.state.compactions, compaction] });
}

function noticed(draft: Draft, frame: JsonRecord): void {
  const outcome = recordOf(frame["prompt_submit_outcome"]);
  // Without it the notice is of a prompt that was to join the turn, and the turn goes on.
  if (outcome === undefined || frame["prevent_continuation"] !== true) return;
  draft.patch({ refusal: outcome["prompt_kept"] === true ? "stopped" : "blocked" });
}

function requestCame(draft: Draft, frame: JsonRecord): void {
  const request = recordOf(frame["request"]) ?? {};
  const requestId = textOf(frame["request_id"]) ?? "";
  switch (request["subtype"]) {
    case "can_use_tool":
      permissionAsked(draft, requestId, request);
      return;
    case "elicitation":
    case "request_user_dialog": {
      const isDialog = request["subtype"] === "request_user_dialog";
      const kind = isDialog ? "dialog" : request["mode"] === "url" ? "url" : "form";
      draft.emit("prompt.request", { requestId, kind, message: textOf(request["message"]) ?? "", request });
      return;
    }
    case "mcp_message":
      serverAsked(draft, recordOf(request["message"]) ?? {});
      return;
    case "hook_callback":
      hookCalled(draft, requestId, recordOf(request["input"]) ?? {}, textOf(request["tool_use_id"]));
  }
}

function permissionAsked(draft: Draft, requestId: string, request: JsonRecord): void {
  const toolName = textOf(request["tool_name"]) ?? "";
  const toolUseId = textOf(request["tool_use_id"]) ?? "";
  const toolInput = recordOf(request["input"]) ?? {};
  const agentToolUseId = agentCallOf(draft, request["agent_id"], toolUseId);
  const about = agentToolUseId === undefined ? {} : { agentToolUseId };
  open(draft, requestId, { kind: "permission", toolUseId, toolName, ...about });
  reach(draft, toolUseId, toolName, "awaiting_permission", about);
  if (toolName === "AskUserQuestion") {
    const questions = recordsOf(toolInput["questions"]).flatMap(({ question }) => textOf(question) ?? []);
    draft.emit("prompt.request", { requestId, kind: "question", message: questions.join("\n"), request }, about);
  } else if (toolName === "ExitPlanMode") planSubmitted(draft, toolUseId, toolInput, agentToolUseId);
  else draft.emit("tool.permission_required", { requestId, toolName, toolUseId, toolInput, request }, about);
}

function planSubmitted(draft: Draft, toolUseId: string, input: JsonRecord, agentToolUseId: string | undefined): void {
  const tool = draft.tool(toolUseId);
  if (tool?.marks.includes("plan")) return;
  if (tool !== undefined) draft.setTool(toolUseId, { ...tool, marks: [...tool.marks, "plan"] });
  const plan = textOf(input["plan"]) ?? textOf(tool?.input?.["plan"]) ?? "";
  draft.emit("plan.submitted", { toolUseId, plan, planFilePath: textOf(input["planFilePath"]) }, { agentToolUseId });
}

function serverAsked(draft: Draft, message: JsonRecord): void {
  if (message["method"] !== "tools/call") return;
  const meta = recordOf(recordOf(message["params"])?.["_meta"]) ?? {};
  const toolUseId = textOf(meta["claudecode/toolUseId"]);
  const token = meta["progressToken"];
  const progressToken = typeof token === "string" || typeof token === "number" ? { progressToken: token } : {};
  if (toolUseId !== undefined) reach(draft, toolUseId, undefined, "running", progressToken);
}

/** A server of the host: what its tools say of their progress goes no further than the CLI. */
function serverSpoke(draft: Draft, message: JsonRecord): void {
  if (message["method"] !== "notifications/progress") return;
  const params = recordOf(message["params"]) ?? {};
  const token = params["progressToken"];
  const call = Object.entries(draft.state.tools).find(([, tool]) => token != null && tool.progressToken === token);
  if (call === undefined) return;
  const progress = numberOf(params["progress"]);
  const total = numberOf(params["total"]);
  const counted = progress === undefined ? "" : total === undefined ? String(progress) : `${progress} of ${total}`;
  reach(draft, call[0], undefined, "progress", { message: textOf(params["message"]) ?? counted });
}

function hookCalled(draft: Draft, requestId: string, input: JsonRecord, requestToolUseId: string | undefined): void {
  const event = textOf(input["hook_event_name"]) ?? "";
  const toolUseId = textOf(input["tool_use_id"]) ?? requestToolUseId ?? "";
  const toolName = textOf(input["tool_name"]);
  const agentToolUseId = agentCallOf(draft, input["agent_id"], toolUseId);
  const about = { agentToolUseId };
  open(draft, requestId, { kind: "hook", event, ...(toolName !== undefined && { toolName, toolUseId }) });
  const toolInput = recordOf(input["tool_input"]);
  switch (event) {
    case "UserPromptSubmit":
      promptAccepted(draft, input);
      return;
    case "PreToolUse":
      reach(draft, toolUseId, toolName, "checking", { input: toolInput, agentToolUseId });
      if (toolName === "ExitPlanMode") planSubmitted(draft, toolUseId, toolInput ?? {}, agentToolUseId);
      return;
    case "PostToolUse":
      reach(draft, toolUseId, undefined, "completed", { elapsedMs: numberOf(input["duration_ms"]) });
      return;
    case "PostToolUseFailure": {
      const message = textOf(input["error"]);
      reach(draft, toolUseId, undefined, "failed", { elapsedMs: numberOf(input["duration_ms"]), message });
      return;
    }
    case "PostCompact":
      draft.patch({ summary: textOf(input["compact_summary"]) });
      return;
    case "TaskCreated":
    case "TaskCompleted": {
      const change = event === "TaskCreated" ? "created" : "completed";
      const taskId = textOf(input["task_id"]);
      const subject = textOf(input["task_subject"]);
      const task = { ...(taskId !== undefined && { taskId }), ...(subject !== undefined && { subject }) };
      draft.emit("task.changed", { change, ...task }, about);
    }
  }
}

function answered(draft: Draft, response: JsonRecord): void {
  const request = closeRequest(draft, response["request_id"]);
  const answer = recordOf(response["response"]) ?? {};
  if (request === undefined || response["subtype"] !== "success") return;
  const { toolUseId, toolName, event } = request;
  const specific = recordOf(answer["hookSpecificOutput"]) ?? {};
  const isAllowed =
    request.kind === "permission"
      ? answer["behavior"] === "allow"
      : event === "PreToolUse" && specific["permissionDecision"] === "allow";
  if (isAllowed && toolUseId !== undefined) reach(draft, toolUseId, toolName, "running");
  if (event !== undefined && stoppingEvents.includes(event) && answer["continue"] === false)
    draft.patch({ stopped: { by: event, message: textOf(answer["stopReason"]) } });
}

function open(draft: Draft, requestId: string, request: OpenRequest): void {
  draft.patch({ requests: withEntry(draft.state.requests, requestId, request) });
}

function closeRequest(draft: Draft, requestId: unknown): OpenRequest | undefined {
  if (typeof requestId !== "string") return undefined;
  const request = own(draft.state.requests, requestId);
  if (request !== undefined) draft.patch({ requests: withEntry(draft.state.requests, requestId, undefined) });
  return request;
}

function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The events whose `continue: false` ends the turn. [verified on CLI 2.1.328] */
const stoppingEvents: readonly string[] = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop"];
