import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import {
  followTranscript,
  getSessionInfo,
  listSessions,
  projectKeyForDirectory,
  readTranscript,
  type SessionInfo,
  type SessionKey,
  type SessionUsage,
  searchSessions,
  sessionUsage,
  type TranscriptLine,
  transcriptPath,
} from "@reins/sessions";
import type { AgentRow, Match } from "../protocol.ts";
import { isBulk, type Library, type PlacedEntry, type Whereabouts } from "./library.ts";
import { isAgentId, objectOf, stringOf, timeOf } from "./parts.ts";

export interface FileLibraryOptions {
  /** Sessions of this working directory only. Default: all. */
  readonly dir?: string | undefined;
  /** The CLI's configuration folder. Default `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. */
  readonly configDir?: string | undefined;
}

/** The transcripts that the CLI keeps in its configuration folder. */
export function createFileLibrary({ dir, configDir }: FileLibraryOptions): Library {
  const folder = configDir ?? (process.env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude"));
  const place = { configDir: folder, ...(dir === undefined ? {} : { dir }) };
  const pathOf = (key: SessionKey): string => transcriptPath(key, place);

  async function isTranscript(key: SessionKey): Promise<boolean> {
    const file = await stat(pathOf(key)).catch(() => undefined);
    return file?.isFile() === true && file.size > 0;
  }

  const found = new Map<string, SessionKey>();

  /** A session is in one of the project folders; which, its id does not say. */
  async function findMain(sessionId: string): Promise<SessionKey | undefined> {
    const known = found.get(sessionId);
    if (known !== undefined && (await isTranscript(known))) return known;
    const first = dir === undefined ? [] : [projectKeyForDirectory(dir, place)];
    const names = await readdir(join(folder, "projects")).catch(() => []);
    for (const projectKey of [...first, ...names]) {
      const key = { projectKey, sessionId };
      if (!(await isTranscript(key))) continue;
      found.set(sessionId, key);
      return key;
    }
    return undefined;
  }

  /** Subagents of workflows lie deeper than others. */
  async function subpaths(key: SessionKey): Promise<readonly string[]> {
    const side = pathOf(key).replace(/\.jsonl$/, "");
    const names = await readdir(join(side, "subagents"), { recursive: true, withFileTypes: true }).catch(() => []);
    return names
      .filter((name) => name.isFile() && /^agent-.+\.jsonl$/.test(name.name))
      .map((name) =>
        relative(side, join(name.parentPath, name.name))
          .replaceAll("\\", "/")
          .replace(/\.jsonl$/, ""),
      )
      .sort();
  }

  const agentIdOf = (subpath: string): string => basename(subpath).slice("agent-".length);

  return {
    source: dir ?? folder,

    list: (): Promise<SessionInfo[]> => listSessions({ ...place, onProblem: () => {} }),

    async find(sessionId, agentId) {
      const key = await findMain(sessionId);
      if (key === undefined || agentId === undefined) return key;
      const subpath = (await subpaths(key)).find((path) => agentIdOf(path) === agentId);
      return subpath === undefined ? undefined : { ...key, subpath };
    },

    async *read(key, start, signal) {
      let torn: PlacedEntry | undefined;
      for await (const line of readTranscript(pathOf(key), { start, signal })) {
        if (torn !== undefined) yield torn;
        torn = undefined;
        const placed = placedOf(line);
        // The last line of a session that runs may be half written: it is no problem until another one follows it.
        if (placed?.problem !== undefined) torn = placed;
        else if (placed !== undefined) yield placed;
      }
    },

    async *follow(key, start, signal) {
      for await (const line of followTranscript(pathOf(key), { start, signal })) {
        const placed = placedOf(line);
        if (placed !== undefined) yield placed;
      }
    },

    async whereabouts(key): Promise<Whereabouts> {
      // A session that failed at its start has none.
      const changedAt = (await stat(pathOf(key)).catch(() => undefined))?.mtimeMs ?? 0;
      const cwd = (await getSessionInfo(key.sessionId, place))?.cwd;
      // A transcript may say what it likes; its project folder is named after the folder where the CLI was started.
      const isRight = cwd !== undefined && projectKeyForDirectory(cwd, place) === key.projectKey;
      return isRight ? { cwd, changedAt } : { changedAt };
    },

    async agents(key): Promise<readonly AgentRow[]> {
      const rows: AgentRow[] = [];
      for (const subpath of await subpaths(key)) {
        const agentId = agentIdOf(subpath);
        if (!isAgentId(agentId)) continue;
        const path = pathOf({ ...key, subpath });
        const text = await readFile(join(dirname(path), `agent-${agentId}.meta.json`), "utf8").catch(() => "{}");
        rows.push(agentRow(agentId, parseObject(text)));
      }
      return rows;
    },

    usage: (key, signal): Promise<SessionUsage> => sessionUsage(key, { ...place, signal }),

    async *search(query, signal): AsyncGenerator<Match> {
      for await (const match of searchSessions(query, { ...place, signal, limit: 200, onProblem: () => {} })) {
        const time = timeOf(match.timestamp);
        yield {
          sessionId: match.sessionId,
          at: match.byteOffset,
          excerpt: match.excerpt,
          type: match.type,
          ...(time === undefined ? {} : { time }),
        };
      }
    },
  };
}

/** What the CLI notes about a subagent beside its transcript. */
export function agentRow(agentId: string, notes: Readonly<Record<string, unknown>>): AgentRow {
  const call = stringOf(notes["toolUseId"]);
  const agentType = stringOf(notes["agentType"]);
  const description = stringOf(notes["description"]);
  return {
    agentId,
    ...(call === undefined ? {} : { call }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(description === undefined ? {} : { description }),
  };
}

function placedOf(line: TranscriptLine): PlacedEntry | undefined {
  if (isBulk(line.type)) return undefined;
  const place = { at: line.byteOffset, next: line.endOffset };
  return line.error === undefined ? { ...place, entry: line.entry } : { ...place, problem: line.error.message };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
