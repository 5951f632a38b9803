import { randomUUID } from "node:crypto";
import { open, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { isMissing, SessionNotFoundError } from "../transcript/errors.ts";
import { isSessionId } from "../transcript/session-id.ts";
import { SessionStoreError } from "./errors.ts";
import { makeFolder } from "./filesystem/make-folder.ts";
import { sessionOf } from "./session-key.ts";
import type { SessionName, SessionStore, SessionStoreEntry } from "./session-store.ts";

/** Where a session is written to. */
export interface ExportSessionOptions {
  /** A project folder of the CLI, such as `<config>/projects/<projectKey>`, or any other. Made when it is not there. */
  readonly directory: string;
  /** Replaces files that are there. Default false. */
  readonly overwrite?: boolean;
  /** Ends the work between two files. */
  readonly signal?: AbortSignal;
}

/** What was written. */
export interface ExportSessionReport {
  /** The main transcript. */
  readonly path: string;
  /** All files, side files of subagents included; the main transcript is the last. */
  readonly files: readonly string[];
  /** Subpaths that were left out because they lead out of the session's folder, or are no paths. */
  readonly refusedSubpaths: readonly string[];
}

/**
 * Writes a session of a store as the files that the CLI reads: the main transcript, those of its subagents and their side files.
 *
 * Only the owner can read the files. Each appears at once, the main transcript last, so that an export that was cut short is no session.
 * Subpaths are not trusted: one that leads out of the session's folder is neither loaded nor written.
 *
 * @throws SessionNotFoundError when the store has no such session.
 * @throws SessionStoreError when the main transcript is there already.
 * @throws TypeError when the id is no UUID, since it becomes the name of a file.
 */
export async function exportSession(
  store: SessionStore,
  session: SessionName,
  options: ExportSessionOptions,
): Promise<ExportSessionReport> {
  const name = sessionOf(session);
  if (!isSessionId(name.sessionId)) throw new TypeError(`Invalid sessionId: ${name.sessionId}`);
  const path = join(resolve(options.directory), `${name.sessionId}.jsonl`);
  if (options.overwrite !== true && (await exists(path))) {
    throw new SessionStoreError(`${path} is there already. Remove it, or set overwrite.`, {
      operation: "export",
      key: name,
    });
  }
  const main = await store.load(name);
  if (main === null || main.length === 0) {
    throw new SessionNotFoundError(name.sessionId, ` in project ${name.projectKey}`);
  }
  const files: string[] = [];
  const refusedSubpaths: string[] = [];
  for (const subpath of (await store.listSubkeys?.(name)) ?? []) {
    options.signal?.throwIfAborted();
    const target = safePath(path.slice(0, -".jsonl".length), subpath);
    if (target === undefined) refusedSubpaths.push(subpath);
    else files.push(...(await exportSubpath(target, (await store.load({ ...name, subpath })) ?? [])));
  }
  options.signal?.throwIfAborted();
  await writeWhole(path, toLines(main));
  return { path, files: [...files, path], refusedSubpaths };
}

/**
 * The path of a subpath without its ending, or `undefined` for one that must not become a path: empty, absolute on any system, with a
 * part `.`, `..` or nothing, or with a NUL.
 */
function safePath(folder: string, subpath: string): string | undefined {
  const parts = subpath.split(/[/\\]/);
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  if (subpath.includes("\u0000") || /^[a-z]:/i.test(subpath)) return undefined;
  const path = resolve(folder, ...parts);
  return path.startsWith(folder + sep) ? path : undefined;
}

async function exportSubpath(path: string, entries: readonly SessionStoreEntry[]): Promise<string[]> {
  const files: string[] = [];
  const lines = entries.filter(({ type }) => type !== "agent_metadata");
  const metadata = entries.findLast(({ type }) => type === "agent_metadata");
  if (metadata !== undefined) {
    const { type: _, ...fields } = metadata;
    await writeWhole(`${path}.meta.json`, [JSON.stringify(fields)]);
    files.push(`${path}.meta.json`);
  }
  if (lines.length > 0) {
    await writeWhole(`${path}.jsonl`, toLines(lines));
    files.push(`${path}.jsonl`);
  }
  return files;
}

/** The type in front, where the CLI and others that read fast look for it: a store may have changed the order of the fields. */
function* toLines(entries: readonly SessionStoreEntry[]): Generator<string, undefined> {
  for (const { type, ...fields } of entries) yield `${JSON.stringify({ type, ...fields })}\n`;
}

async function writeWhole(path: string, texts: Iterable<string>): Promise<void> {
  await makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      for (const text of inChunks(texts)) await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}

/** 1 MiB at a time, since a session may be larger than the longest string. */
function* inChunks(texts: Iterable<string>): Generator<string, undefined> {
  let chunk = "";
  for (const text of texts) {
    chunk += text;
    if (chunk.length < 1_048_576) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
