import type { JsonRpcId } from "./json-rpc.ts";

/** What every handler of a server is told of the request that it serves. */
export interface CallContext {
  /** Aborted when the request is cancelled (the turn was interrupted, it took too long), and when the session ends or begins anew. */
  readonly signal: AbortSignal;
  /** Id of the host's session with the client, where the host said it to `connect`; `undefined` otherwise. */
  readonly sessionId: string | undefined;
  /** Id of the JSON-RPC request; unique only among the requests of one session that run at the same time. */
  readonly requestId: JsonRpcId;
  /** Name of the server. */
  readonly server: string;
  /** What the client sent along with the request. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What the handler of a tool is told beside its arguments. */
export interface ToolContext extends CallContext {
  /** Name of the tool. */
  readonly tool: string;
  /** Id of the tool use in the conversation, which hooks and permission questions name too; `undefined` for clients that send none. */
  readonly toolUseId: string | undefined;
  /**
   * Says how far the call is: to the server's `onProgress`, and to the client if it asked for it. The CLI asks and shows it to nobody
   * (verified against 2.1.328). Does nothing once the call was answered or given up.
   *
   * @param done How much is done. It has to grow from one report of a call to the next.
   * @param total How much there is to do, if that is known.
   * @throws TypeError for what is no finite number.
   */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /**
   * Writes to the log: to the server's `onLog`, and to the client if it takes this level. The CLI takes all levels and shows them to
   * nobody (verified against 2.1.328). Does nothing once the call was answered or given up.
   *
   * @param data A text, or anything else that JSON can carry.
   * @param level Default `"info"`.
   */
  readonly log: (data: unknown, level?: LogLevel) => void;
}

/** Levels of the log, those of syslog. */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** The levels, the least severe first. */
export const logLevels: readonly LogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Which call a report is about. */
export interface ToolReport {
  readonly server: string;
  readonly tool: string;
  readonly toolUseId: string | undefined;
  readonly sessionId: string | undefined;
}

/** How far a call is, as its handler said with `progress()`. */
export interface ToolProgress extends ToolReport {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a handler wrote with `log()`. */
export interface ToolLog extends ToolReport {
  readonly level: LogLevel;
  readonly data: unknown;
}
