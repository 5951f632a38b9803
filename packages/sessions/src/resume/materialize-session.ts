import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionKey } from "@reins/messages";
import { withDeadline } from "../mirror/deadline.ts";
import { SessionStoreError, type SessionStoreOperation } from "../store/errors.ts";
import { exportSession } from "../store/export-session.ts";
import type { SessionStore, SessionStoreEntry } from "../store/session-store.ts";
import { isSessionId } from "../transcript/session-id.ts";
import { seedConfig } from "./seed-config.ts";

/** Which session of a store a CLI shall go on with. */
export interface MaterializeOptions {
  /** The project that the session belongs to: `projectKeyForDirectory` of the CLI's working directory. */
  readonly projectKey: string;
  /** Id of the session. Counts more than `continue`. */
  readonly resume?: string | undefined;
  /** Takes the session that was written last and has something to go on with. */
  readonly continue?: boolean | undefined;
  /** The environment that the CLI will have: it says where its settings and its login are. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds for each call of the store. Default 60,000. */
  readonly loadTimeoutMs?: number | undefined;
  /** Told of subpaths that were left out because they lead elsewhere. Default: nobody. */
  readonly onRefusedSubpath?: ((subpath: string) => void) | undefined;
}

/** A session that lies in a configuration folder of its own, for one run of the CLI. */
export interface MaterializedSession extends AsyncDisposable {
  readonly sessionId: string;
  /** For `CLAUDE_CONFIG_DIR` of the CLI, which then finds the session by its id. */
  readonly configDir: string;
  /** Removes the folder. Not before the CLI has exited: it writes until then. Never rejects; idempotent. */
  remove(): Promise<void>;
}

/**
 * Writes a session of a store where a CLI can resume it: into a temporary configuration folder, with the login and the settings of the
 * folder that the CLI would use otherwise. Nothing else of that is there: no CLAUDE.md, skills, agents, commands and plugins of the user.
 *
 * Only the owner can read it. The copy of the login has no refresh token, since using it in a copy would end the original. On macOS a
 * login in the keychain is not copied. A failure leaves nothing behind; folders of hosts that died are removed a day later.
 *
 * @returns `undefined` when the store has no such session.
 * @throws SessionStoreError when the store does not answer in time, and what it rejects with.
 */
export async function materializeSession(
  store: SessionStore,
  options: MaterializeOptions,
): Promise<MaterializedSession | undefined> {
  const timed = withTimeouts(store, options.loadTimeoutMs ?? 60_000);
  const sessionId = await findSession(timed, options);
  if (sessionId === undefined) return undefined;
  await removeStale();
  const configDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-${randomUUID().slice(0, 8)}-`));
  const remove = (): Promise<void> => removeFolder(configDir);
  try {
    const directory = join(configDir, "projects", options.projectKey);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await seedConfig(configDir, options.env ?? process.env);
    const session = { projectKey: options.projectKey, sessionId };
    const { refusedSubpaths } = await exportSession(timed, session, { directory });
    for (const subpath of refusedSubpaths) options.onRefusedSubpath?.(subpath);
  } catch (error) {
    await remove();
    throw error;
  }
  return { sessionId, configDir, remove, [Symbol.asyncDispose]: remove };
}

const prefix = "reins-resume-";

async function findSession(store: SessionStore, options: MaterializeOptions): Promise<string | undefined> {
  const { projectKey, resume } = options;
  if (resume !== undefined) return isSessionId(resume) && (await has(store, projectKey, resume)) ? resume : undefined;
  if (!options.continue) return undefined;
  const rows = (await store.listSessions?.(projectKey)) ?? [];
  for (const { sessionId } of [...rows].sort((left, right) => right.mtime - left.mtime)) {
    if (isSessionId(sessionId) && (await has(store, projectKey, sessionId))) return sessionId;
  }
  return undefined;
}

/** Whether there is something to go on with: a transcript of its own, not one of a subagent. */
async function has(store: SessionStore, projectKey: string, sessionId: string): Promise<boolean> {
  const entries = await store.load({ projectKey, sessionId });
  return entries !== null && entries.length > 0 && entries[0]?.["isSidechain"] !== true;
}

/** The reading part of a store, each call of which ends in time. */
function withTimeouts(store: SessionStore, timeoutMs: number): SessionStore {
  const call = async <T>(operation: SessionStoreOperation, key: SessionKey, act: () => Promise<T>): Promise<T> => {
    // Of a store that throws instead of rejecting, too.
    const calling = (async () => act())();
    if (await withDeadline(calling, timeoutMs)) return calling;
    const message = `SessionStore.${operation}() timed out after ${timeoutMs}ms for session ${key.sessionId}. Is the store reachable?`;
    throw new SessionStoreError(message, { operation, key, retryable: true });
  };
  /** What was loaded to see whether there is a session is not loaded again. */
  let last: { readonly key: string; readonly entries: SessionStoreEntry[] | null } | undefined;
  return {
    append: (key, entries) => store.append(key, entries),
    async load(key) {
      const name = JSON.stringify([key.projectKey, key.sessionId, key.subpath]);
      if (last?.key !== name) last = { key: name, entries: await call("load", key, () => store.load(key)) };
      return last.entries;
    },
    ...(store.listSessions && {
      listSessions: (projectKey: string) =>
        call(
          "listSessions",
          { projectKey, sessionId: "(any)" },
          async () => (await store.listSessions?.(projectKey)) ?? [],
        ),
    }),
    ...(store.listSubkeys && {
      listSubkeys: (key: { projectKey: string; sessionId: string }) =>
        call("listSubkeys", key, async () => (await store.listSubkeys?.(key)) ?? []),
    }),
  };
}

async function removeFolder(folder: string): Promise<void> {
  // On Windows a file is busy for a moment after its process has exited.
  await rm(folder, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 }).catch(() => {});
}

/** Removes what hosts left behind that were killed. */
async function removeStale(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid] = /^reins-resume-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    // In a container the host of another one is not alive, as far as can be seen.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > dayMs) await removeFolder(folder);
  }
}

const dayMs = 86_400_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
