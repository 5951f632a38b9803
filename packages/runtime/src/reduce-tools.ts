import type { Draft } from "./draft.ts";
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from "./json-value.ts";
import type { AgentEvent, ToolProgress, ToolStage } from "./runtime-event.ts";
import type { OpenTool, OpenTurn } from "./runtime-state.ts";

/** A tool use block of an assistant frame. */
export function toolRequested(draft: Draft, block: JsonRecord, agentToolUseId: string | undefined): void {
  const id = textOf(block["id"]);
  const name = textOf(block["name"]);
  if (id === undefined || name === undefined) return;
  reach(draft, id, name, "requested", { input: recordOf(block["input"]), agentToolUseId });
}

/** What a tool call has come to, as far as it was not known. Gives the call while it is open. */
export function reach(
  draft: Draft,
  id: string,
  name: string | undefined,
  stage: ToolStage,
  details: {
    readonly input?: JsonRecord | undefined;
    readonly agentToolUseId?: string | undefined;
    readonly elapsedMs?: number | undefined;
    readonly message?: string | undefined;
    readonly progressToken?: string | number | undefined;
  } = {},
): OpenTool | undefined {
  const known = draft.tool(id);
  // A call that nobody asked for cannot end, and one that has ended is not told of again.
  if (known === undefined && (name === undefined || rank(stage) >= rank("running"))) return undefined;
  if (known !== undefined && (isEnd(known.stage) || rank(stage) < rank(known.stage))) return known;
  const isNews = known === undefined || rank(stage) > rank(known.stage) || stage === "progress";
  const agentToolUseId = known?.agentToolUseId ?? details.agentToolUseId;
  const { time } = draft.state;
  const since = known?.runningSince ?? (rank(stage) === rank("running") && time > 0 ? time : undefined);
  const input = details.input ?? known?.input;
  const progressToken = details.progressToken ?? known?.progressToken;
  const tool: OpenTool = {
    name: known?.name ?? name ?? "",
    stage,
    ...(agentToolUseId !== undefined && { agentToolUseId }),
    ...(since !== undefined && { runningSince: since }),
    ...(progressToken !== undefined && { progressToken }),
    ...(input !== undefined && toldAtTheEnd.includes(known?.name ?? name ?? "") && { input }),
    marks: known?.marks ?? [],
  };
  draft.setTool(id, tool);
  if (!isNews) return tool;
  const measured = since !== undefined && rank(stage) > rank("running") ? Math.max(0, time - since) : undefined;
  const elapsedMs = details.elapsedMs ?? measured;
  const progress: ToolProgress = {
    toolUseId: id,
    toolName: tool.name,
    stage,
    ...(elapsedMs !== undefined && { elapsedMs }),
    ...(details.message !== undefined && { message: details.message }),
    ...(details.input !== undefined && rank(stage) <= rank("checking") && { input: details.input }),
    ...(agentToolUseId !== undefined && { agentToolUseId }),
  };
  draft.emit("tool.progress", progress, { agentToolUseId });
  if (known === undefined) began(draft, id, tool, details.input);
  if (isEnd(stage)) ended(draft, id, tool, details.message);
  return tool;
}

/** The results of tools, in a user frame. They end the calls for good. */
export function toolResultsCame(draft: Draft, frame: JsonRecord): void {
  const meta = recordsOf(frame["tool_result_meta"]);
  for (const block of recordsOf(recordOf(frame["message"])?.["content"])) {
    const id = textOf(block["tool_use_id"]);
    if (block["type"] !== "tool_result" || id === undefined) continue;
    const isError = block["is_error"] === true;
    const kind = textOf(meta.find((entry) => entry["id"] === id)?.["non_execution_kind"]);
    const stage = !isError ? "completed" : kind === undefined ? "failed" : "denied";
    reach(draft, id, undefined, stage, { ...(isError && { message: textOfContent(block["content"]) }) });
    draft.setTool(id, undefined);
  }
}

/** The `tool_progress` frame. Its id is that of a heartbeat, or of a message of a sub-agent; the call's own is the parent then. */
export function toolProgressed(draft: Draft, frame: JsonRecord): void {
  const id = textOf(frame["tool_use_id"]);
  const parent = textOf(frame["parent_tool_use_id"]);
  const call = id !== undefined && draft.tool(id) !== undefined ? id : (parent ?? id);
  if (call === undefined) return;
  const seconds = numberOf(frame["elapsed_time_seconds"]);
  reach(draft, call, undefined, "progress", { ...(seconds !== undefined && { elapsedMs: seconds * 1000 }) });
}

/** Ends what a turn leaves behind: after an interrupt or a crash there may be calls without a result. */
export function endToolsOfTurn(draft: Draft, turn: OpenTurn): void {
  const others = draft.state.turns.some(({ id, isEntered }) => id !== turn.id && isEntered);
  if (others) return;
  for (const [id, tool] of Object.entries(draft.state.tools)) {
    const agent = tool.agentToolUseId;
    if (agent !== undefined && draft.tool(agent) === undefined && isInBackground(draft, agent)) continue;
    endWait(draft, id, tool, { status: "stopped" });
    draft.setTool(id, undefined);
  }
  const agents = Object.entries(draft.state.agents).filter(([, { hasEnded }]) => !hasEnded);
  if (agents.length < Object.keys(draft.state.agents).length) draft.patch({ agents: Object.fromEntries(agents) });
}

/** Ends the wait for an agent in the foreground, if there is one. */
export function endWait(draft: Draft, id: string, tool: OpenTool, more: Partial<AgentEvent>): void {
  if (!tool.marks.includes("waiting")) return;
  draft.emit("agent.wait.end", { toolUseId: id, ...more }, { agentToolUseId: tool.agentToolUseId });
  const open = draft.tool(id);
  if (open !== undefined) draft.setTool(id, { ...open, marks: open.marks.filter((mark) => mark !== "waiting") });
}

function isAgentTool(name: string): boolean {
  return name === "Agent" || name === "Task";
}

/** The text of the content of a tool result. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .flatMap((block) => textOf(block["text"]) ?? [])
    .join("\n");
}

function isInBackground(draft: Draft, toolUseId: string): boolean {
  return Object.values(draft.state.agents).some((agent) => agent.toolUseId === toolUseId && !agent.hasEnded);
}

/** Events of tools that are something else besides. */
function began(draft: Draft, id: string, tool: OpenTool, input: JsonRecord | undefined): void {
  const { agentToolUseId } = tool;
  const call = { toolUseId: id, toolName: tool.name, ...(input && { input }) };
  if (isAgentTool(tool.name)) draft.emit("agent.spawn.begin", { toolUseId: id, ...agentOf(input) }, { agentToolUseId });
  else if (tool.name === "SendMessage") draft.emit("agent.interaction.begin", call, { agentToolUseId });
  else if (isBrowserTool(tool.name)) draft.emit("browser.tool.begin", call, { agentToolUseId });
}

function ended(draft: Draft, id: string, tool: OpenTool, message: string | undefined): void {
  const { agentToolUseId, name } = tool;
  const outcome = tool.stage as "completed" | "failed" | "denied";
  const call = { toolUseId: id, toolName: name, outcome };
  if (isAgentTool(name)) {
    if (!tool.marks.includes("spawned") && outcome !== "completed")
      draft.emit("agent.spawn.end", { toolUseId: id, error: message ?? outcome }, { agentToolUseId });
    endWait(draft, id, tool, { status: outcome });
  } else if (name === "SendMessage") draft.emit("agent.interaction.end", call, { agentToolUseId });
  else if (isBrowserTool(name)) draft.emit("browser.tool.end", call, { agentToolUseId });
  else if (outcome === "completed") taskChanged(draft, tool);
}

function taskChanged(draft: Draft, { name, input = {}, agentToolUseId }: OpenTool): void {
  if (name === "TodoWrite")
    draft.emit("task.changed", { change: "list", tasks: recordsOf(input["todos"]) }, { agentToolUseId });
  if (name !== "TaskUpdate") return;
  const taskId = textOf(input["taskId"]);
  const status = textOf(input["status"]);
  const subject = textOf(input["subject"]);
  const task = { ...(taskId !== undefined && { taskId }), ...(subject !== undefined && { subject }) };
  draft.emit(
    "task.changed",
    { change: "updated", ...task, ...(status !== undefined && { status }) },
    { agentToolUseId },
  );
}

function agentOf(input: JsonRecord = {}): Partial<AgentEvent> {
  const description = textOf(input["description"]);
  const agentType = textOf(input["subagent_type"]);
  const background = input["run_in_background"];
  return {
    ...(description !== undefined && { description }),
    ...(agentType !== undefined && { agentType }),
    ...(typeof background === "boolean" && { background }),
  };
}

function isBrowserTool(name: string): boolean {
  return name.startsWith("mcp__claude-in-chrome__");
}

function isEnd(stage: ToolStage): boolean {
  return stage === "completed" || stage === "failed" || stage === "denied";
}

function rank(stage: ToolStage): number {
  return isEnd(stage) ? order.length : order.indexOf(stage);
}

const order: readonly ToolStage[] = ["requested", "checking", "awaiting_permission", "running", "progress"];
const toldAtTheEnd: readonly string[] = ["TodoWrite", "TaskUpdate", "ExitPlanMode"];
