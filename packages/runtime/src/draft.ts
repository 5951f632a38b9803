import type { RuntimeEvent, RuntimeEventData, RuntimeEventType } from "./runtime-event.ts";
import type { KnownAgent, OpenTool, OpenTurn, RuntimeState } from "./runtime-state.ts";

/** One step of the reducer while it is made: the next state, and the events on the way there. */
export class Draft {
  readonly events: RuntimeEvent[] = [];
  state: RuntimeState;

  constructor(state: RuntimeState) {
    this.state = state;
  }

  patch(change: Partial<RuntimeState>): void {
    this.state = { ...this.state, ...change };
  }

  /** The turn that what comes now belongs to: the one that the CLI is at, or else the one that waits for it. */
  get turn(): OpenTurn | undefined {
    const { turns } = this.state;
    return turns.filter((turn) => turn.isEntered).at(-1) ?? turns[0];
  }

  emit<Type extends RuntimeEventType>(
    type: Type,
    data: RuntimeEventData[Type],
    about: { readonly agentToolUseId?: string | undefined; readonly turn?: OpenTurn | undefined } = {},
  ): void {
    const turn = about.turn ?? this.turn;
    const { sessionId, time, turnCount } = this.state;
    const { agentToolUseId } = about;
    const base = { type, sessionId, turnId: turn?.id, turnNumber: turn?.number ?? turnCount, time };
    // The pair of a type and its data, which the mapped type cannot see for a generic one.
    this.events.push({ ...base, ...(agentToolUseId !== undefined && { agentToolUseId }), data } as RuntimeEvent);
  }

  tool(id: string): OpenTool | undefined {
    return own(this.state.tools, id);
  }

  setTool(id: string, tool: OpenTool | undefined): void {
    this.patch({ tools: withEntry(this.state.tools, id, tool) });
  }

  agent(id: string): KnownAgent | undefined {
    return own(this.state.agents, id);
  }

  setAgent(id: string, agent: KnownAgent | undefined): void {
    this.patch({ agents: withEntry(this.state.agents, id, agent) });
  }
}

/** An entry by an id of the wire, which may be the name of something that every object has. */
export function own<Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(record, id) ? record[id] : undefined;
}

/** The record with an entry set, or taken out. */
export function withEntry<Value>(
  record: Readonly<Record<string, Value>>,
  id: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  if (value !== undefined) return { ...record, [id]: value };
  if (!Object.hasOwn(record, id)) return record;
  const { [id]: _, ...rest } = record;
  return rest;
}
