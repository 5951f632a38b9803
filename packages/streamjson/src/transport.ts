import type { Frame, FrameValue } from "./frame.ts";

/**
 * The seam between whatever speaks stream-json (a child process, a socket, a container, a test) and everything above it.
 *
 * Write one to run the CLI anywhere. The rules:
 * - `frames` has one consumer and is pulled: do not read ahead without bound while nobody asks.
 * - `send` writes whole frames in the order of the calls and settles when the sink has taken the frame; it rejects, and never
 *   hangs, when the sink is gone.
 * - The end of the output ends `frames` normally, whatever its reason: why it ended is told by `closed`.
 * - `closed` never rejects, and settles only when nothing of the other side is left (the process was seen to exit, the socket was closed).
 * - `close` is idempotent, never rejects, and settles together with `closed`.
 */
export interface Transport extends AsyncDisposable {
  /**
   * The frames of the other side in order, in batches: all that one read brought. Lines that are no JSON object, or too long, are
   * frames with an `error`. Batches, because an `await` for each frame costs more than reading it (bench/, row "frames").
   */
  readonly frames: AsyncIterable<readonly Frame[]>;

  /** Writes one frame. Rejects with an error that says why when it cannot be written any more. */
  send(frame: Frame | FrameValue): Promise<void>;

  /** Says that no more frames will be sent. The other side finishes what it owes and ends. Idempotent. */
  endInput(): Promise<void>;

  /** Ends the other side, by force if it does not end by itself, and releases everything. */
  close(): Promise<void>;

  /** How the other side ended. Pending while it lives. */
  readonly closed: Promise<TransportExit>;
}

/** How the other side of a {@link Transport} ended. What a transport cannot know is `null` or empty. */
export interface TransportExit {
  /** Exit code of the process, or `null`. */
  readonly code: number | null;
  /** Signal that killed the process, such as `"SIGKILL"`, or `null`. */
  readonly signal: string | null;
  /** The last part of the standard error of the process. */
  readonly stderrTail: string;
  /** Set when the end was a failure: a start that failed, an exit code other than 0, a lost connection. Not set after {@link Transport.close}. */
  readonly error?: Error;
}
