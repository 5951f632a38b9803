import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SessionKey } from "@reins/messages";
import type { SessionName } from "../session-store.ts";
import { fromFileName, isHashedName, toFileName } from "./file-name.ts";
import { isMissing } from "./fs-errors.ts";
import { makeFolder } from "./make-folder.ts";
import { type FsyncPolicy, replaceFile } from "./write-files.ts";

const subpathPrefix = "sub.";
const nameFile = "name.json";

/** Where a store keeps what: `<root>/projects/<project>/<session>/<main or sub.SUBPATH>/transcript.jsonl`. */
export class SessionFolders {
  readonly #projects: string;
  readonly #trash: string;
  readonly #fsync: FsyncPolicy;

  constructor(root: string, fsync: FsyncPolicy) {
    this.#fsync = fsync;
    this.#projects = join(root, "projects");
    this.#trash = join(root, "trash");
  }

  /** Where deleted folders go before they are removed. */
  get trash(): string {
    return this.#trash;
  }

  project(projectKey: string): string {
    return join(this.#projects, toFileName(projectKey));
  }

  session({ projectKey, sessionId }: SessionName): string {
    return join(this.project(projectKey), toFileName(sessionId));
  }

  transcript(key: SessionKey): string {
    const name = key.subpath === undefined ? "main" : `${subpathPrefix}${toFileName(key.subpath)}`;
    return join(this.session(key), name);
  }

  /** Ids of the folders of a project, also of sessions without a main transcript. */
  async sessionIds(projectKey: string): Promise<string[]> {
    return decodeNames(this.project(projectKey), (await namesIn(this.project(projectKey))).map(toPair));
  }

  /** Subpaths of the folders of a session, also of those without a transcript. */
  async subpaths(session: SessionName): Promise<string[]> {
    const names = (await namesIn(this.session(session))).filter((name) => name.startsWith(subpathPrefix));
    return decodeNames(
      this.session(session),
      names.map((name) => ({ folder: name, name: name.slice(subpathPrefix.length) })),
    );
  }

  /** Makes the folder of a transcript, and writes the names down that the folders cannot say. */
  async create(key: SessionKey): Promise<void> {
    await makeFolder(this.transcript(key));
    await this.#nameFolder(this.project(key.projectKey), key.projectKey);
    await this.#nameFolder(this.session(key), key.sessionId);
    if (key.subpath !== undefined) await this.#nameFolder(this.transcript(key), key.subpath);
  }

  /** The folders above a transcript, from its own to the root. */
  above(key: SessionKey): string[] {
    const transcript = this.transcript(key);
    const session = dirname(transcript);
    const project = dirname(session);
    return [transcript, session, project, this.#projects, dirname(this.#projects)];
  }

  async #nameFolder(folder: string, name: string): Promise<void> {
    if (!isHashedName(basename(folder))) return;
    const path = join(folder, nameFile);
    if ((await readName(path)) !== name) await replaceFile(path, JSON.stringify({ name }), this.#fsync);
  }
}

interface NamedFolder {
  readonly folder: string;
  readonly name: string;
}

function toPair(name: string): NamedFolder {
  return { folder: name, name };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function decodeNames(parent: string, folders: readonly NamedFolder[]): Promise<string[]> {
  const texts: string[] = [];
  for (const { folder, name } of folders) {
    const text = isHashedName(name) ? await readName(join(parent, folder, nameFile)) : fromFileName(name);
    if (text !== undefined && toFileName(text) === name) texts.push(text);
  }
  return texts;
}

/** `undefined` for a folder whose name was not written down: it was being made, so nothing is in it yet. */
async function readName(path: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    const hasName = typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
    return hasName ? String(value.name) : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
