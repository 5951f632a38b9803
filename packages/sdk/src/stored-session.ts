import type { ControlClientOptions } from "@reins/control";
import { inheritEnv, type LaunchOptions } from "@reins/process";
import {
  type MaterializedSession,
  type MirrorLoss,
  materializeSession,
  projectKeyForDirectory,
  type SessionStore,
  TranscriptMirror,
} from "@reins/sessions";
import { decodeFrame, encodeFrame, type Frame } from "@reins/streamjson";
import type { Options } from "./options.ts";

/** What a session store adds to a session. */
export interface StoredSession {
  readonly clientOptions: Pick<ControlClientOptions, "onTranscriptMirror" | "beforeResult">;
  /** Writes the session that is to be gone on with where the CLI finds it, and gives the options of the start. */
  readonly prepare: ((launch: LaunchOptions) => Promise<LaunchOptions>) | undefined;
  /** Whether the session that is to be gone on with was in the store, and was written for the CLI. */
  readonly isWritten: () => boolean;
  /** Stores what is left and removes what was written, when the CLI is gone. Never rejects. */
  readonly end: () => Promise<void>;
}

/** @returns `undefined` without a store. */
export function storedSession(options: Options): StoredSession | undefined {
  const { sessionStore: store, resume, continue: goOn } = options;
  if (!store) return undefined;
  const mirror = new TranscriptMirror(store, {
    flush: options.sessionStoreFlush,
    appendTimeoutMs: options.sessionStoreTimeoutMs,
  });
  let writing: Promise<MaterializedSession | undefined> | undefined;
  let isWritten = false;
  return {
    clientOptions: {
      // The wire decides what a frame holds; the mirror looks at the path.
      onTranscriptMirror: (frame) =>
        mirror.write(frame.value as unknown as Parameters<TranscriptMirror["write"]>[0], frame.length),
      beforeResult: async () => (await mirror.flush(flushWaitMs)).map(lossMessage),
    },
    prepare:
      resume !== undefined || goOn
        ? async (launch) => {
            writing = materialize(store, options);
            const files = await writing;
            isWritten = files !== undefined;
            // The session goes by its id; the CLI's own idea of the latest one is another.
            const { continue: _, ...rest } = launch;
            if (files === undefined) return rest;
            const env = { ...(options.env ?? inheritEnv()), CLAUDE_CONFIG_DIR: files.configDir };
            return { ...rest, resume: files.sessionId, env };
          }
        : undefined,
    isWritten: () => isWritten,
    async end() {
      // There is no message any more that could say so.
      for (const { error } of await mirror.close(endWaitMs)) tell(options, new Error(error));
      const removing = writing?.then((files) => files?.remove()).catch(() => {});
      // What a store still holds up is removed when it comes.
      if (removing !== undefined) await settledWithin(removing, removeWaitMs);
    },
  };
}

/** How long a result waits for a slow store. What takes longer is stored beside. */
const flushWaitMs = 1_500;

/** How long the end waits for it. What is not stored then is given up. */
const endWaitMs = 10_000;

/** How long the end waits until a store that is still asked for the session lets go of it. */
const removeWaitMs = 500;

async function settledWithin(promise: Promise<unknown>, timeMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function tell({ onCallbackError, onDiagnostic }: Options, error: Error): void {
  try {
    onCallbackError?.(error, { subtype: "transcript_mirror" });
    onDiagnostic?.({ kind: "callback-failed", subtype: "transcript_mirror", error });
  } catch {
    // They must not throw, and the session is over.
  }
}

function materialize(store: SessionStore, options: Options): Promise<MaterializedSession | undefined> {
  const env = options.env ?? inheritEnv();
  return materializeSession(store, {
    projectKey: projectKeyForDirectory(options.cwd ?? process.cwd(), { configDir: env["CLAUDE_CONFIG_DIR"] }),
    resume: options.resume,
    continue: options.continue,
    env,
    loadTimeoutMs: options.loadTimeoutMs,
  });
}

/** As the official SDK writes it. */
function lossMessage({ error, key, filePath }: MirrorLoss): Frame {
  return decodeFrame(
    encodeFrame({
      type: "system",
      subtype: "mirror_error",
      error,
      key: key ?? { projectKey: "", sessionId: "", subpath: filePath },
      uuid: crypto.randomUUID(),
      session_id: key?.sessionId ?? "",
    }),
  );
}
