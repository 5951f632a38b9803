import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { projectKeyForPath } from "../../src/transcript/project-key.ts";

export type Entry = Record<string, unknown>;

/** A configuration folder of the CLI for one test, which both SDKs find by the environment. */
export interface TestConfig extends Disposable {
  readonly root: string;
  readonly configDir: string;
  /** Creates a working directory and gives its real path. */
  folder(name: string): string;
  /** Writes a transcript of a working directory; strings are lines as they are. Gives its path. */
  write(folder: string, sessionId: string, lines: readonly (Entry | string)[], options?: WriteOptions): string;
  /** Where a file of a project folder lies. */
  path(folder: string, ...parts: string[]): string;
}

interface WriteOptions {
  /** Seconds since 1970. */
  readonly mtime?: number;
  /** Behind the last line. Default a newline. */
  readonly end?: string;
}

export function createConfig(): TestConfig {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-transcripts-")));
  const configDir = join(root, "config");
  vi.stubEnv("CLAUDE_CONFIG_DIR", configDir);
  vi.stubEnv("CLAUDE_CODE_PROJECT_DIR_NAME", undefined);
  const path = (folder: string, ...parts: string[]) => join(configDir, "projects", projectKeyForPath(folder), ...parts);
  return {
    root,
    configDir,
    path,
    folder(name) {
      mkdirSync(join(root, name), { recursive: true });
      return realpathSync(join(root, name));
    },
    write(folder, sessionId, lines, { mtime, end = "\n" } = {}) {
      const file = path(folder, `${sessionId}.jsonl`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n") + end,
      );
      if (mtime !== undefined) utimesSync(file, mtime, mtime);
      return file;
    },
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A session id that is easy to read: `1` gives `00000000-0000-4000-8000-000000000001`. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

let clock = 0;

/** An entry of a conversation. */
export function entry(type: string, uuid: string, parentUuid: string | null, more: Entry = {}): Entry {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();
  return { parentUuid, isSidechain: false, type, uuid, timestamp, sessionId: idOf(1), cwd: "/home/user/p", ...more };
}

export function user(uuid: string, parent: string | null, content: unknown, more: Entry = {}): Entry {
  return entry("user", uuid, parent, { message: { role: "user", content }, ...more });
}

export function assistant(uuid: string, parent: string | null, content: unknown, more: Entry = {}): Entry {
  const { id, ...rest } = more;
  return entry("assistant", uuid, parent, {
    message: { role: "assistant", id: id ?? `msg_${uuid}`, content },
    ...rest,
  });
}

/** What two implementations have to agree on: the value as JSON, so that absent and undefined are one. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
