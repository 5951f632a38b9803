import { isDeepStrictEqual } from "node:util";
import type { SessionKey } from "@reins/messages";
import { uuidOf } from "./entry-line.ts";
import { describeKey, SessionStoreError, type SessionStoreOperation } from "./errors.ts";
import type { SessionStore, SessionStoreEntry } from "./session-store.ts";

/** How entries are brought into a store. */
export interface TransferOptions {
  /** Entries per `append`, at most. Default 500, also for 0 and less; a batch of 1 MiB of text is sent earlier. */
  readonly batchSize?: number;
  /** Ends the work between two batches. Calling again goes on from there. */
  readonly signal?: AbortSignal;
}

/** What became of one transcript. */
export interface TransferredTranscript {
  /** Where it is now. */
  readonly key: SessionKey;
  /** Entries that were appended. */
  readonly appended: number;
  /** Entries that were there already, from a call that was interrupted or from the live mirror. */
  readonly alreadyThere: number;
}

/** The target holds a transcript under the same key that does not begin as the source does. Delete it, or choose another key. */
export class SessionConflictError extends SessionStoreError {
  override readonly code = "REINS_SESSION_CONFLICT" as const;
  /** Position of the first entry of the target that differs, from 0. */
  readonly index: number;

  constructor(operation: SessionStoreOperation, key: SessionKey, index: number) {
    super(
      `The target has another ${describeKey(key)}: entry ${index} differs. Delete it there, or choose another key.`,
      { operation, key },
    );
    this.index = index;
  }

  override get name(): string {
    return "SessionConflictError";
  }
}

/** One source of entries and where they go. */
export interface Transfer extends TransferOptions {
  readonly operation: SessionStoreOperation;
  readonly key: SessionKey;
  /** Leaves entries of the target out of the comparison, which then must not be in the source. */
  readonly isCompared?: (entry: SessionStoreEntry) => boolean;
}

/** As in the official SDK. */
const defaultBatchSize = 500;
const maxBatchCharacters = 1_048_576;

/**
 * Appends what a transcript of a store lacks of a source. Calling it again after an interruption stores nothing twice, entries without
 * `uuid` included, since what is there has to be the beginning of the source.
 *
 * @throws SessionConflictError before anything is written, when it is not.
 */
export async function transferEntries(
  store: SessionStore,
  source: AsyncIterable<SessionStoreEntry> | Iterable<SessionStoreEntry>,
  { operation, key, isCompared = () => true, batchSize = 0, signal }: Transfer,
): Promise<TransferredTranscript> {
  const present = ((await store.load(key)) ?? []).filter(isCompared);
  const limit = batchSize > 0 ? batchSize : defaultBatchSize;
  const seen = new Set<string>();
  let alreadyThere = 0;
  let appended = 0;
  let batch: SessionStoreEntry[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    if (batch.length > 0) await store.append(key, batch);
    appended += batch.length;
    batch = [];
    characters = 0;
  };
  for await (const entry of source) {
    const uuid = uuidOf(entry);
    // A store keeps the first only, so the second has no place to be compared with.
    if (uuid !== undefined && seen.has(uuid)) continue;
    if (uuid !== undefined) seen.add(uuid);
    if (alreadyThere < present.length) {
      if (!isDeepStrictEqual(present[alreadyThere], entry))
        throw new SessionConflictError(operation, key, alreadyThere);
      alreadyThere++;
      continue;
    }
    batch.push(entry);
    characters += JSON.stringify(entry).length;
    if (batch.length >= limit || characters >= maxBatchCharacters) await flush();
  }
  await flush();
  return { key, appended, alreadyThere };
}
