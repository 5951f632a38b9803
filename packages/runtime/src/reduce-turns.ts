import type { Draft } from "./draft.ts";
import { type JsonRecord, numberOf, recordOf, textOf, textsOf } from "./json-value.ts";
import { endToolsOfTurn } from "./reduce-tools.ts";
import type { RuntimeEventData, TurnFailed } from "./runtime-event.ts";
import type { OpenTurn } from "./runtime-state.ts";

/** A prompt of the host: it starts a turn, or waits for the one that runs to take it in. */
export function promptSent(draft: Draft, frame: JsonRecord): void {
  draft.patch({ seesHost: true });
  if (frame["parent_tool_use_id"] != null) return;
  const content = recordOf(frame["message"])?.["content"];
  // The CLI swallows anything else without a result.
  if (typeof content !== "string" && !Array.isArray(content)) return;
  const uuid = textOf(frame["uuid"]);
  const { turns, queued, usedUuids } = draft.state;
  if (uuid !== undefined) {
    // The CLI drops it without a word.
    if (usedUuids.includes(uuid)) return;
    draft.patch({ usedUuids: [...usedUuids.slice(1 - maxUsedUuids), uuid] });
  }
  if (turns.length === 0) startTurn(draft, "user", uuid);
  else draft.patch({ queued: [...queued, uuid ?? null] });
}

/** The CLI has taken a prompt, and asks hooks about it. */
export function promptAccepted(draft: Draft, input: JsonRecord): void {
  const { turns } = draft.state;
  // Behind the first one of a turn it is a prompt that waited, and joins the turn.
  if (turns.some((turn) => turn.isEntered)) return;
  const isOwn = isWake(input);
  const waiting = isOwn ? undefined : turns[0];
  enter(
    draft,
    waiting ?? startTurn(draft, isOwn || draft.state.seesHost ? "wake" : "user", textOf(input["prompt_id"])),
  );
}

/** The init message, which opens each turn of the CLI. */
export function turnBegun(draft: Draft, frame: JsonRecord): void {
  const stamps = textsOf(frame["user_message_uuids"]);
  const turn = turnOfInit(draft, stamps) ?? startTurnOfInit(draft, stamps, frame);
  enter(draft, turn);
  change(draft, turn.id, { isBegun: true });
}

function turnOfInit(draft: Draft, stamps: readonly string[]): OpenTurn | undefined {
  const { turns, reportsLifecycle } = draft.state;
  const open = turns.filter((turn) => !turn.isBegun);
  const stamped = open.find((turn) => stamps.includes(turn.id));
  if (stamped !== undefined) return stamped;
  const isOurs = (turn: OpenTurn): boolean => turn.isEntered || !turn.isStamped || !reportsLifecycle;
  return open.find((turn) => turn.isEntered) ?? open.find(isOurs);
}

function startTurnOfInit(draft: Draft, stamps: readonly string[], frame: JsonRecord): OpenTurn {
  const { queued, seesHost } = draft.state;
  // Prompts without a uuid that waited share this turn.
  const taken = stamps.length > 0 ? queued.filter((uuid) => uuid !== null && stamps.includes(uuid)) : unstamped(queued);
  draft.patch({ queued: queued.filter((uuid) => !taken.includes(uuid)) });
  const isUser = stamps.length > 0 || taken.length > 0 || !seesHost;
  const id = stamps[0] ?? taken.find((uuid) => uuid !== null) ?? textOf(frame["uuid"]);
  return startTurn(draft, isUser ? "user" : "wake", id ?? undefined, stamps.length > 0);
}

function unstamped(queued: readonly (string | null)[]): readonly (string | null)[] {
  return queued.includes(null) ? [null] : queued.slice(0, 1);
}

/** What the CLI says of a prompt with a uuid. */
export function lifecycleReported(draft: Draft, frame: JsonRecord): void {
  const uuid = textOf(frame["command_uuid"]);
  const state = textOf(frame["state"]);
  if (uuid === undefined || state === undefined) return;
  if (!draft.state.reportsLifecycle) draft.patch({ reportsLifecycle: true });
  const turn = draft.state.turns.find(({ id }) => id === uuid);
  if (state === "completed" && turn !== undefined) change(draft, uuid, { isAnswered: true });
  if (!endStates.includes(state)) return;
  draft.patch({ queued: draft.state.queued.filter((waiting) => waiting !== uuid) });
  // One that the CLI is at work on has a result.
  if (turn !== undefined && !turn.isEntered) failTurn(draft, turn, { reason: state, text: "", interrupted: true });
}

/** The result of a turn. */
export function resultCame(draft: Draft, frame: JsonRecord): void {
  const turns = turnsOfResult(draft, frame);
  const [first] = turns;
  draft.patch({ queued: draft.state.queued.filter((uuid) => uuid === null || !stampsOf(frame).includes(uuid)) });
  if (first !== undefined) emitCompactions(draft, first);
  const outcome = outcomeOf(draft, frame);
  for (const turn of turns) {
    if (outcome.type === "turn.failed" && outcome.data.text !== "" && frame["is_error"] === true)
      draft.emit("response.chunk", { type: "error", delta: outcome.data.text, raw: frame }, { turn });
    endToolsOfTurn(draft, turn);
    draft.emit(outcome.type, outcome.data, { turn });
    close(draft, turn);
  }
  // Where nobody hears the host, none of them is ever answered.
  if (draft.state.turns.length === 0) draft.patch({ requests: {} });
}

/** No frame comes any more: what is open fails. */
export function sessionEnded(draft: Draft, text: string): void {
  for (const turn of draft.state.turns) {
    emitCompactions(draft, turn);
    endToolsOfTurn(draft, turn);
    failTurn(draft, turn, { reason: "session_ended", text, interrupted: false });
  }
}

function turnsOfResult(draft: Draft, frame: JsonRecord): readonly OpenTurn[] {
  const stamps = stampsOf(frame);
  const { turns, reportsLifecycle } = draft.state;
  const stamped = turns.filter((turn) => stamps.includes(turn.id));
  const isOwn = recordOf(frame["origin"])?.["kind"] === "task-notification";
  const candidates = turns.filter((turn) => !isOwn || !turn.isStamped || turn.isEntered);
  const running = turns.find((turn) => turn.isBegun) ?? turns.find((turn) => turn.isEntered);
  const isForeign = running?.isStamped === true && reportsLifecycle && (stamps.length > 0 || isOwn);
  const chosen = stamped[0] ?? (isForeign ? undefined : running) ?? candidates[0];
  const first = chosen ?? startTurn(draft, isOwn || draft.state.seesHost ? "wake" : "user", textOf(frame["uuid"]));
  const answered = turns.filter((turn) => turn !== first && (turn.isAnswered || stamped.includes(turn)));
  return [first, ...answered];
}

type Outcome =
  | { readonly type: "turn.completed"; readonly data: RuntimeEventData["turn.completed"] }
  | { readonly type: "turn.failed"; readonly data: TurnFailed };

function outcomeOf(draft: Draft, frame: JsonRecord): Outcome {
  const { refusal } = draft.state;
  const terminalReason = textOf(frame["terminal_reason"]);
  const text = textOf(frame["result"]) ?? "";
  const isStop = refusal === "stopped" || stopReasons.includes(terminalReason ?? "");
  const by = draft.state.stopped ?? { by: refusal === "stopped" ? "UserPromptSubmit" : "hook", message: undefined };
  const stopped = isStop ? { stopped: by } : {};
  const isBlocked =
    refusal === "blocked" || (terminalReason === undefined && /^\w+ operation blocked by hook/.test(text));
  if (frame["is_error"] === true || terminalReason === "blocking_limit" || isBlocked) {
    const reason = isBlocked ? "prompt_blocked" : (terminalReason ?? textOf(frame["subtype"]) ?? "unknown");
    const interrupted = reason === "aborted_streaming" || reason === "aborted_tools";
    const errors = textsOf(frame["errors"]).join("\n");
    const told = draft.state.stopped && { stopped: draft.state.stopped };
    return {
      type: "turn.failed",
      data: { reason, text: text === "" && !interrupted ? errors : text, interrupted, ...told, result: frame },
    };
  }
  const deferredToolUse = recordOf(frame["deferred_tool_use"]);
  return {
    type: "turn.completed",
    data: {
      text,
      terminalReason,
      numTurns: numberOf(frame["num_turns"]),
      stopReason: textOf(frame["stop_reason"]),
      usage: recordOf(frame["usage"]),
      totalCostUsd: numberOf(frame["total_cost_usd"]),
      ...stopped,
      ...(deferredToolUse && { deferredToolUse }),
      result: frame,
    },
  };
}

function startTurn(draft: Draft, origin: "user" | "wake", uuid: string | undefined, isStamped = true): OpenTurn {
  const number = draft.state.turnCount + 1;
  const { turns, turnIds } = draft.state;
  const id = uuid === undefined || turnIds.includes(uuid) ? `turn-${number}` : uuid;
  const turn: OpenTurn = {
    id,
    number,
    isStamped: origin === "user" && id === uuid && isStamped,
    isEntered: false,
    isBegun: false,
    isAnswered: false,
  };
  draft.patch({ turnCount: number, turns: [...turns, turn], turnIds: [...turnIds.slice(1 - maxUsedUuids), id] });
  draft.emit("turn.started", { origin }, { turn });
  return turn;
}

function enter(draft: Draft, turn: OpenTurn): void {
  if (turn.isEntered) return;
  change(draft, turn.id, { isEntered: true });
  draft.emit("turn.stage", { stage: "preparing_turn" }, { turn });
}

function failTurn(draft: Draft, turn: OpenTurn, data: TurnFailed): void {
  draft.emit("turn.failed", data, { turn });
  close(draft, turn);
}

function close(draft: Draft, turn: OpenTurn): void {
  const turns = draft.state.turns.filter(({ id }) => id !== turn.id);
  draft.patch({ turns, refusal: undefined, stopped: undefined });
}

function change(draft: Draft, id: string, change: Partial<OpenTurn>): void {
  draft.patch({ turns: draft.state.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn)) });
}

function emitCompactions(draft: Draft, turn: OpenTurn): void {
  for (const compaction of draft.state.compactions) draft.emit("context.compacted", compaction, { turn });
  draft.patch({ compactions: [] });
}

function stampsOf(frame: JsonRecord): readonly string[] {
  const list = textsOf(frame["user_message_uuids"]);
  const last = textOf(frame["user_message_uuid"]);
  return list.length > 0 || last === undefined ? list : [last];
}

/** Whether the CLI wrote the prompt itself. The source is what later versions say; 2.1.328 says nothing. */
function isWake(input: JsonRecord): boolean {
  const source = textOf(input["source"]);
  if (source !== undefined) return source !== "user" && source !== "sdk";
  return textOf(input["prompt"])?.startsWith("<task-notification>") ?? false;
}

/** Nobody uses an id again after as many prompts, but by chance or in a retry of the last few. */
const maxUsedUuids = 1000;
const endStates: readonly string[] = ["cancelled", "discarded", "refused"];
const stopReasons: readonly string[] = ["hook_stopped", "stop_hook_prevented"];
