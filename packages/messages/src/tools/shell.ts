import type { OpenString } from "../open.ts";

/** Runs a command. */
export interface BashInput {
  readonly command: string;
  /** Milliseconds. In the foreground at most 600,000 by default; in the background 1,800,000 by default and at most 7,200,000. */
  readonly timeout?: number;
  readonly description?: string;
  readonly run_in_background?: boolean;
  /** Asks to run outside the sandbox. */
  readonly dangerouslyDisableSandbox?: boolean;
}

/** What a command gave. */
export interface BashOutput {
  /** Standard output and error, as they came. */
  readonly stdout: string;
  /** Notes of the tool itself. */
  readonly stderr: string;
  readonly interrupted: boolean;
  readonly isImage?: boolean;
  readonly noOutputExpected?: boolean;
  readonly backgroundTaskId?: string;
  readonly backgroundedByUser?: boolean;
  readonly timedOutAfterMs?: number;
  readonly backgroundCwdHint?: string;
  readonly backgroundEndsWithFinalResponse?: true;
  readonly backgroundWakesOwner?: true;
  readonly dangerouslyDisableSandbox?: boolean;
  readonly returnCodeInterpretation?: string;
  readonly structuredContent?: unknown[];
  readonly rawOutputPath?: string;
  /** File that has the whole output, where it was too large. */
  readonly persistedOutputPath?: string;
  /** Bytes. */
  readonly persistedOutputSize?: number;
  readonly staleReadFileStateHint?: string;
  readonly ghRateLimitHint?: string;
  readonly gitOperation?: GitOperation;
}

/** What a command did to a git repository, as far as the CLI can tell. */
export interface GitOperation {
  readonly commit?: {
    readonly sha: string;
    readonly kind: OpenString<"committed" | "amended" | "cherry-picked">;
    readonly branch?: string;
  };
  readonly push?: { readonly branch: string };
  readonly branch?: { readonly ref: string; readonly action: OpenString<"merged" | "rebased"> };
  readonly pr?: {
    readonly number: number;
    readonly url?: string;
    readonly action: OpenString<
      | "created"
      | "edited"
      | "merged"
      | "commented"
      | "closed"
      | "reopened"
      | "ready"
      | "draft"
      | "auto-merge-enabled"
      | "auto-merge-disabled"
    >;
  };
}

/** Watches a command or a WebSocket: each line or frame is an event. Has either `command` or `ws`. */
export interface MonitorInput {
  readonly description: string;
  /** Milliseconds. */
  readonly timeout_ms: number;
  readonly command?: string;
  readonly ws?: { readonly url: string; readonly protocols?: string[] };
}

/** The watch that began. */
export interface MonitorOutput {
  readonly taskId: string;
  readonly timeoutMs: number;
  readonly persistent?: boolean;
  readonly keptInSandboxByCheck?: boolean;
}

/** Stops a task in the background. */
export interface TaskStopInput {
  readonly task_id?: string;
  /** The older name. */
  readonly shell_id?: string;
}

/** The task that was stopped. */
export interface TaskStopOutput {
  readonly message: string;
  readonly task_id: string;
  readonly task_type: string;
  readonly command?: string;
}
