import type { Frame } from "@reins/streamjson";
import type { Diagnostic } from "./diagnostic.ts";
import type { Hooks } from "./hooks.ts";
import type { InProcessServer } from "./mcp-router.ts";
import type { CanUseTool } from "./permissions.ts";
import type { OnElicitation, OnUserDialog } from "./user-questions.ts";

/** What a {@link ControlClient} serves to the CLI, and its limits. */
export interface ControlClientOptions {
  /** Answers the CLI's permission questions. The CLI asks only when it was started with `--permission-prompt-tool=stdio`. */
  readonly canUseTool?: CanUseTool;
  /** Callbacks at points of the CLI's run. */
  readonly hooks?: Hooks;
  /** MCP servers in this process, by the name that the CLI sees. */
  readonly mcpServers?: Readonly<Record<string, InProcessServer>>;
  /** Answers questions of MCP servers that the CLI dialled. Default: every one is declined. */
  readonly onElicitation?: OnElicitation;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  readonly onUserDialog?: OnUserDialog;
  /** The kinds of dialogs that `onUserDialog` can show; no others are asked for. Default: none. */
  readonly supportedDialogKinds?: readonly string[];
  /**
   * Sees each message as it is read, before the reader of `messages` and whether or not there is one. What it throws interrupts
   * the turn and ends the session with that error. Default: nobody.
   */
  readonly onMessage?: (frame: Frame) => void;
  /**
   * Takes the lines of transcripts that the CLI reports when it was started with `--session-mirror`. Must not throw. Default: they are
   * delivered like messages.
   */
  readonly onTranscriptMirror?: (frame: Frame) => void;
  /**
   * Awaited before each result, and before the end of the messages, is delivered: what was said before is on record then. What it gives
   * is delivered ahead. Messages wait meanwhile, control traffic does not, so it should be bounded. A rejection counts as nothing.
   */
  readonly beforeResult?: () => Promise<readonly Frame[]>;
  /**
   * Where the CLI looks for sessions of its working folder, as far as it is known: asked when one is missing, for the error that tells so.
   * Default: not known.
   */
  readonly sessionFolder?: () => string | undefined;
  /** Told of each callback that threw or gave no valid answer, beside `onDiagnostic`. Must not throw. Default: nobody. */
  readonly onCallbackError?: (error: unknown, context: { readonly subtype: string }) => void;
  /** Told of what is no message and needs no answer: noise on the output, late answers, failed callbacks. Must not throw. Default: nobody. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Deadline of a control request in milliseconds, where the call gives none. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /**
   * How long after a result a run may stay open without a sign of it before it counts as over, in milliseconds; 0 for ever.
   * Default 600,000, as the CLI's own ceiling for background work.
   */
  readonly runCeilingMs?: number;
  /**
   * How long `finish()` keeps the input open for work in the background, in milliseconds; 0 for not at all. What a shell or agent
   * starts when it ends runs without hooks and permission questions once the input has ended. Default 600,000 with callbacks or
   * servers, 0 without.
   */
  readonly backgroundCeilingMs?: number;
  /**
   * How much is read ahead of a slow reader of messages, in UTF-16 units of frame text. Default 16,777,216. Behind that much, what the
   * CLI asks waits until the reader goes on, so a reader must not wait for a callback of its own; waiting for a request is fine.
   */
  readonly maxQueuedLength?: number;
}
