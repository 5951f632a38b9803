import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { MemorySessionStore, materializeSession, SessionStoreError } from "../index.ts";
import type { SessionStore } from "../store/session-store.ts";

const projectKey = "-work";
const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";
const third = "33333333-3333-4333-8333-333333333333";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "reins-home-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A store of one session with a subagent. */
async function storeWith(sessionId = first): Promise<MemorySessionStore> {
  const store = new MemorySessionStore();
  await store.append({ projectKey, sessionId }, [{ type: "user", uuid: "u1" }]);
  await store.append({ projectKey, sessionId, subpath: "subagents/agent-a" }, [
    { type: "user", uuid: "a1" },
    { type: "agent_metadata", agentType: "x" },
  ]);
  return store;
}

async function read(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), "utf8"));
}

test("a session lies where the CLI looks for it, for its owner only, until it is removed", async () => {
  const HOME = await folder();
  const session = await materializeSession(await storeWith(), { projectKey, resume: first, env: { HOME } });
  if (session === undefined) throw new Error("there is a session");
  const { configDir, sessionId } = session;
  expect(sessionId).toBe(first);
  expect(await readFile(join(configDir, "projects", projectKey, `${first}.jsonl`), "utf8")).toBe(
    '{"type":"user","uuid":"u1"}\n',
  );
  const agents = join(configDir, "projects", projectKey, first, "subagents");
  expect((await readdir(agents)).sort()).toEqual(["agent-a.jsonl", "agent-a.meta.json"]);
  expect(await read(agents, "agent-a.meta.json")).toEqual({ agentType: "x" });
  if (process.platform !== "win32") {
    expect((await stat(configDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(agents, "agent-a.jsonl"))).mode & 0o777).toBe(0o600);
  }
  await session.remove();
  await session.remove();
  await expect(stat(configDir)).rejects.toMatchObject({ code: "ENOENT" });
});

test("login and settings come along from the folder of the CLI's environment, without what must not be used twice", async () => {
  const HOME = await folder();
  const config = join(HOME, ".claude");
  await mkdir(join(config, "state"), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    ".claude/.credentials.json": JSON.stringify({ claudeAiOauth: { accessToken: "a", refreshToken: "r" }, other: 1 }),
    ".claude/settings.json": `\uFEFF${JSON.stringify({ model: "m", enabledPlugins: {}, env: { A: "1", CLAUDE_CONFIG_DIR: "/x" } })}`,
    ".claude/cowork_settings.json": "no JSON",
    ".claude/CLAUDE.md": "not for a copy",
    ".claude/state/hybrid-settings-a.json": "{}",
    ".claude.json": '{"a":1}',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(HOME, name), text);
  // A folder in the place of a file, as good as none.
  await mkdir(join(config, ".config.json"));
  await using session = await materializeSession(await storeWith(), { projectKey, resume: first, env: { HOME } });
  const configDir = session?.configDir ?? "";
  expect(await read(configDir, ".credentials.json")).toEqual({ claudeAiOauth: { accessToken: "a" }, other: 1 });
  expect(await read(configDir, "settings.json")).toEqual({ model: "m", env: { A: "1" } });
  expect(await readFile(join(configDir, "cowork_settings.json"), "utf8")).toBe("no JSON");
  expect((await readdir(configDir)).sort()).toEqual(
    [".claude.json", ".credentials.json", "cowork_settings.json", "projects", "settings.json", "state"].sort(),
  );
  expect(await readdir(join(configDir, "state"))).toEqual(["hybrid-settings-a.json"]);
});

test("of a CLI with a configuration folder of its own, that is the source", async () => {
  const [HOME, CLAUDE_CONFIG_DIR] = [await folder(), await folder()];
  await writeFile(join(HOME, ".claude.json"), '{"from":"home"}');
  await writeFile(join(CLAUDE_CONFIG_DIR, ".claude.json"), '{"from":"config"}');
  const env = { HOME, CLAUDE_CONFIG_DIR };
  await using session = await materializeSession(await storeWith(), { projectKey, resume: first, env });
  expect(await read(session?.configDir ?? "", ".claude.json")).toEqual({ from: "config" });
});

describe("the session that is gone on with", () => {
  test("is the one that was written last and has something to go on with", async () => {
    const store = await storeWith(first);
    await store.append({ projectKey, sessionId: second }, [{ type: "user", isSidechain: true }]);
    const rows = [
      { sessionId: "no uuid", mtime: 4 },
      { sessionId: third, mtime: 3 },
      { sessionId: second, mtime: 2 },
      { sessionId: first, mtime: 1 },
    ];
    const listing: SessionStore = {
      append: (key, entries) => store.append(key, entries),
      load: (key) => store.load(key),
      listSessions: async () => [...rows].reverse(),
    };
    await using session = await materializeSession(listing, {
      projectKey,
      continue: true,
      env: { HOME: await folder() },
    });
    expect(session?.sessionId).toBe(first);
  });

  test.each([
    ["an id that the store does not have", { resume: second }],
    ["an id that is none", { resume: "../../x" }],
    ["nothing asked for", {}],
    ["another project", { continue: true, projectKey: "-other" }],
  ])("is none for %s", async (_what, options) => {
    expect(await materializeSession(await storeWith(), { projectKey, ...options })).toBeUndefined();
  });
});

describe("a store", () => {
  const leftovers = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`reins-resume-${process.pid}-`));

  test("with subpaths that lead elsewhere has them left out", async () => {
    const store = await storeWith();
    const hostile = ["../x", "/etc/x", "a/../../x", "C:\\x", ""];
    const refused: string[] = [];
    const listing: SessionStore = {
      append: (key, entries) => store.append(key, entries),
      load: (key) => store.load(key),
      listSubkeys: async () => ["subagents/agent-a", ...hostile],
    };
    await using session = await materializeSession(listing, {
      projectKey,
      resume: first,
      env: { HOME: await folder() },
      onRefusedSubpath: (subpath) => refused.push(subpath),
    });
    expect(session).toBeDefined();
    expect(refused).toEqual(hostile);
  });

  test("that fails or hangs in the middle leaves nothing behind", async () => {
    const store = await storeWith();
    const before = await leftovers();
    const failing: SessionStore = {
      append: async () => {},
      load: (key) => (key.subpath === undefined ? store.load(key) : Promise.reject(new Error("gone"))),
      listSubkeys: async () => ["subagents/agent-a"],
    };
    const options = { projectKey, resume: first, env: { HOME: await folder() } };
    await expect(materializeSession(failing, options)).rejects.toThrow("gone");
    const hanging: SessionStore = { ...failing, load: () => new Promise(() => {}) };
    const timed = materializeSession(hanging, { ...options, loadTimeoutMs: 5 });
    await expect(timed).rejects.toBeInstanceOf(SessionStoreError);
    await expect(timed).rejects.toMatchObject({ operation: "load", retryable: true });
    expect(await leftovers()).toEqual(before);
  });
});

test("folders of hosts that died are removed a day later", async () => {
  // No process has this id.
  const dead = join(tmpdir(), "reins-resume-4194304999-dead");
  const recent = join(tmpdir(), "reins-resume-4194304999-recent");
  onTestFinished(async () => {
    for (const path of [dead, recent]) await rm(path, { recursive: true, force: true });
  });
  for (const path of [dead, recent]) await mkdir(path, { recursive: true });
  await symlink("/etc", join(dead, "link"));
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(dead, longAgo, longAgo);
  await using _session = await materializeSession(await storeWith(), {
    projectKey,
    resume: first,
    env: { HOME: await folder() },
  });
  await expect(stat(dead)).rejects.toMatchObject({ code: "ENOENT" });
  expect((await stat(recent)).isDirectory()).toBe(true);
  expect((await stat("/etc")).isDirectory()).toBe(true);
});
