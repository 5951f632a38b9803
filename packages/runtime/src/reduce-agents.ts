import type { Draft } from "./draft.ts";
import { type JsonRecord, recordOf, textOf } from "./json-value.ts";
import { endWait, reach } from "./reduce-tools.ts";
import type { AgentEvent } from "./runtime-event.ts";
import type { KnownAgent } from "./runtime-state.ts";

/** `task_started`: an agent, or a command in a shell of its own. */
export function taskStarted(draft: Draft, frame: JsonRecord): void {
  const agentId = textOf(frame["task_id"]);
  const toolUseId = textOf(frame["tool_use_id"]);
  if (agentId === undefined || toolUseId === undefined) return;
  const tool = reach(draft, toolUseId, undefined, "running");
  if (textOf(frame["task_type"])?.endsWith("_agent") !== true) return;
  const description = textOf(frame["description"]);
  const agentType = textOf(frame["subagent_type"]);
  const background = frame["is_backgrounded"] !== false;
  const agent: KnownAgent = {
    toolUseId,
    ...(description !== undefined && { description }),
    ...(agentType !== undefined && { agentType }),
    hasEnded: false,
  };
  draft.setAgent(agentId, agent);
  const about = { agentToolUseId: tool?.agentToolUseId };
  draft.emit("agent.spawn.end", { ...eventOf(agentId, agent), background }, about);
  if (!background) draft.emit("agent.wait.begin", eventOf(agentId, agent), about);
  if (tool !== undefined)
    draft.setTool(toolUseId, {
      ...tool,
      marks: [...tool.marks, "spawned", ...(background ? [] : ["waiting" as const])],
    });
}

/** `task_progress`: what an agent does. */
export function taskProgressed(draft: Draft, frame: JsonRecord): void {
  const toolUseId = textOf(frame["tool_use_id"]);
  if (toolUseId === undefined) return;
  reach(draft, toolUseId, undefined, "progress", { message: textOf(frame["description"]) });
}

/** `task_updated`: an agent that the turn waited for may have gone to the background. */
export function taskUpdated(draft: Draft, frame: JsonRecord): void {
  const agent = draft.agent(textOf(frame["task_id"]) ?? "");
  const tool = agent && draft.tool(agent.toolUseId);
  if (agent === undefined || tool === undefined || recordOf(frame["patch"])?.["is_backgrounded"] !== true) return;
  endWait(draft, agent.toolUseId, tool, { status: "backgrounded" });
}

/** The host asks for an agent's end. */
export function stopAsked(draft: Draft, request: JsonRecord): void {
  const agentId = textOf(request["task_id"]) ?? "";
  const agent = draft.agent(agentId);
  if (agent !== undefined) draft.emit("agent.close.begin", eventOf(agentId, agent), parentOf(draft, agent));
}

/** `task_notification`: an agent has ended. */
export function taskEnded(draft: Draft, frame: JsonRecord): void {
  const agentId = textOf(frame["task_id"]) ?? "";
  const agent = draft.agent(agentId);
  if (agent === undefined || agent.hasEnded) return;
  const status = textOf(frame["status"]);
  const summary = textOf(frame["summary"]);
  const more = { ...(status !== undefined && { status }), ...(summary !== undefined && { summary }) };
  draft.emit("agent.close.end", { ...eventOf(agentId, agent), ...more }, parentOf(draft, agent));
  draft.setAgent(agentId, { ...agent, hasEnded: true });
}

/** The Agent call that what is said of an agent id belongs to. The tool's own record knows it where the id is not known yet. */
export function agentCallOf(draft: Draft, agentId: unknown, toolUseId?: string): string | undefined {
  if (typeof agentId !== "string") return undefined;
  const ofTool = toolUseId === undefined ? undefined : draft.tool(toolUseId)?.agentToolUseId;
  return draft.agent(agentId)?.toolUseId ?? ofTool;
}

function parentOf(draft: Draft, agent: KnownAgent): { readonly agentToolUseId: string | undefined } {
  return { agentToolUseId: draft.tool(agent.toolUseId)?.agentToolUseId };
}

function eventOf(agentId: string, { toolUseId, description, agentType }: KnownAgent): AgentEvent {
  return {
    toolUseId,
    agentId,
    ...(description !== undefined && { description }),
    ...(agentType !== undefined && { agentType }),
  };
}
