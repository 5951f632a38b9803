import type { JsonRecord } from "./json-value.ts";
import type { ContextCompacted, ToolStage } from "./runtime-event.ts";

/** A turn that has started and has not ended. */
export interface OpenTurn {
  readonly id: string;
  readonly number: number;
  /** Whether the host sent a uuid with the prompt, by which the CLI stamps what belongs to it. */
  readonly isStamped: boolean;
  /** Whether the CLI is at work on it. */
  readonly isEntered: boolean;
  /** Whether its init message has come. */
  readonly isBegun: boolean;
  /** Whether the CLI calls its prompt completed: then the next result is its own. */
  readonly isAnswered: boolean;
}

/** A tool call that has not ended. */
export interface OpenTool {
  readonly name: string;
  readonly stage: ToolStage;
  readonly agentToolUseId?: string;
  readonly runningSince?: number;
  readonly progressToken?: string | number;
  /** Kept for the tools whose end is told with it. */
  readonly input?: JsonRecord;
  /** A plan that was told of, a spawn that came to its end, a wait that began. */
  readonly marks: readonly ("plan" | "spawned" | "waiting")[];
}

/** An agent that was started. */
export interface KnownAgent {
  readonly toolUseId: string;
  readonly description?: string;
  readonly agentType?: string;
  readonly hasEnded: boolean;
}

/** A control request that was not answered yet. */
export interface OpenRequest {
  readonly kind: "permission" | "hook";
  /** The event of a hook. */
  readonly event?: string;
  readonly toolUseId?: string;
  readonly toolName?: string;
  readonly agentToolUseId?: string;
}

/**
 * What the reducer remembers between two frames: plain data that can be kept as JSON. Make the first with
 * {@link initialRuntimeState}, and do not look inside: its members are no interface.
 */
export interface RuntimeState {
  readonly sessionId: string | undefined;
  readonly time: number;
  /** How many turns were started. */
  readonly turnCount: number;
  readonly turns: readonly OpenTurn[];
  /** Prompts that the host sent while a turn was open; null for one without a uuid. */
  readonly queued: readonly (string | null)[];
  /** The last prompts that had a uuid: one that is used again is dropped by the CLI. */
  readonly usedUuids: readonly string[];
  /** The ids of the last turns, none of which is given again. */
  readonly turnIds: readonly string[];
  /** Whether frames of the host were seen, so that a turn without one is the CLI's own. */
  readonly seesHost: boolean;
  /** Whether the CLI reports on prompts, and so stamps results. */
  readonly reportsLifecycle: boolean;
  readonly permissionMode: string | undefined;
  readonly tools: Readonly<Record<string, OpenTool>>;
  readonly agents: Readonly<Record<string, KnownAgent>>;
  readonly requests: Readonly<Record<string, OpenRequest>>;
  /** The message whose stream was seen last. */
  readonly streamedMessageId: string | undefined;
  /** The message whose blocks came as frames only, and how many did. */
  readonly blocks: { readonly messageId: string; readonly count: number } | undefined;
  readonly compactions: readonly ContextCompacted[];
  readonly summary: string | undefined;
  /** What a hook did to the turn that runs. */
  readonly refusal: "blocked" | "stopped" | undefined;
  readonly stopped: { readonly by: string; readonly message: string | undefined } | undefined;
}

/** The state before the first frame. */
export function initialRuntimeState(): RuntimeState {
  return {
    sessionId: undefined,
    time: 0,
    turnCount: 0,
    turns: [],
    queued: [],
    usedUuids: [],
    turnIds: [],
    seesHost: false,
    reportsLifecycle: false,
    permissionMode: undefined,
    tools: {},
    agents: {},
    requests: {},
    streamedMessageId: undefined,
    blocks: undefined,
    compactions: [],
    summary: undefined,
    refusal: undefined,
    stopped: undefined,
  };
}
