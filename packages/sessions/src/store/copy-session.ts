import { SessionNotFoundError } from "../transcript/errors.ts";
import { sessionOf } from "./session-key.ts";
import type { SessionName, SessionStore } from "./session-store.ts";
import { type TransferOptions, type TransferredTranscript, transferEntries } from "./transfer.ts";

/** How a session is copied. */
export interface CopySessionOptions extends TransferOptions {
  /** Under which name. Default the same. Entries are not changed, so they go on naming the old session id. */
  readonly as?: SessionName;
}

/** What was copied. */
export interface CopySessionReport {
  /** Subpaths first, the main transcript last. */
  readonly transcripts: readonly TransferredTranscript[];
  /** False when the source cannot list subpaths, so that only the main transcript was copied. */
  readonly withSubpaths: boolean;
}

/**
 * Copies a session from one store to another, subpaths included. The main transcript comes last, so that lists of the target show the
 * session when it is whole.
 *
 * Resumable: after a failure or an abort the same call goes on, and nothing is stored twice. The source should not be written meanwhile;
 * what was added later is brought over by calling again.
 *
 * @throws SessionNotFoundError when the source has neither a main transcript nor subpaths.
 * @throws SessionConflictError when the target has another session of that name.
 */
export async function copySession(
  from: SessionStore,
  to: SessionStore,
  session: SessionName,
  options: CopySessionOptions = {},
): Promise<CopySessionReport> {
  const source = sessionOf(session);
  const target = sessionOf(options.as ?? session);
  const subpaths = (await from.listSubkeys?.(source)) ?? [];
  const transcripts: TransferredTranscript[] = [];
  for (const part of [...[...subpaths].sort().map((subpath) => ({ subpath })), {}]) {
    options.signal?.throwIfAborted();
    const entries = await from.load({ ...source, ...part });
    if (entries === null) continue;
    transcripts.push(
      await transferEntries(to, entries, { ...options, operation: "copy", key: { ...target, ...part } }),
    );
  }
  if (transcripts.length === 0) throw new SessionNotFoundError(source.sessionId, ` in project ${source.projectKey}`);
  return { transcripts, withSubpaths: from.listSubkeys !== undefined };
}
