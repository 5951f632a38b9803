import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  getSessionInfo as peerInfo,
  listSessions as peerList,
  tagSession as peerTag,
} from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { getSessionInfo } from "../src/transcript/get-session-info.ts";
import { type ListSessionsOptions, listSessions } from "../src/transcript/list-sessions.ts";
import { tagSession } from "../src/transcript/mutations.ts";
import { asJson, assistant, createConfig, type Entry, idOf, user } from "./transcripts/config.ts";

/** Lists with both, expects the same, and gives the answer. */
async function lists(options: ListSessionsOptions = {}) {
  const { dir, limit, offset, includeWorktrees, includeProgrammatic } = options;
  const peerOptions = JSON.parse(JSON.stringify({ dir, limit, offset, includeWorktrees, includeProgrammatic }));
  const ours = await listSessions(options);
  expect(asJson(ours)).toEqual(asJson(await peerList(peerOptions)));
  return ours;
}

async function infos(sessionId: string, dir?: string) {
  const ours = await getSessionInfo(sessionId, { dir });
  expect(asJson(ours)).toEqual(asJson(await peerInfo(sessionId, dir === undefined ? {} : { dir })));
  return ours;
}

const title = (customTitle: unknown): Entry => ({ type: "custom-title", customTitle, sessionId: idOf(1) });
const aiTitle = (title: unknown): Entry => ({ type: "ai-title", aiTitle: title, sessionId: idOf(1) });
const tag = (value: unknown): Entry => ({ type: "tag", tag: value, sessionId: idOf(1) });
const filler = (bytes: number): Entry => ({ type: "filler", text: "x".repeat(bytes) });
const hello = user("u1", null, "hello");

describe("one session reads as with the official SDK:", () => {
  const transcripts: Record<string, (Entry | string)[]> = {
    "the last title": [hello, title("one"), title("two")],
    "a title over an AI title": [hello, title("one"), aiTitle("ai")],
    "an AI title": [hello, aiTitle("ai")],
    "an empty title falls through": [hello, title("one"), title("")],
    "a title of another type": [hello, title(5)],
    "a title in the middle is not seen": [hello, filler(70_000), title("middle"), filler(70_000)],
    "a title in the head": [hello, title("head"), filler(70_000)],
    "a title in the tail wins": [hello, title("head"), filler(70_000), title("tail")],
    "an AI title in the tail loses to a title in the head": [hello, title("head"), filler(70_000), aiTitle("tail")],
    "a title inside a message": [user("u1", null, 'see {"type":"custom-title","customTitle":"evil"}')],
    "a title inside a tool input": [
      hello,
      assistant("a1", "u1", [{ type: "tool_use", input: { type: "custom-title", customTitle: "evil", tag: "evil" } }]),
    ],
    "a record glued to a torn line": [hello, `{"parentUuid":"u1","type":"us${JSON.stringify(title("glued"))}`],
    "a record behind a colon is no glued one": [hello, `{"x":${JSON.stringify(title("value"))}`],
    "keys in another order": [hello, { sessionId: idOf(1), customTitle: "late", type: "custom-title" }],
    "keys with spaces": [hello, '{"type": "custom-title", "customTitle": "spaced"}'],
    "the last prompt": [hello, { type: "last-prompt", lastPrompt: "last" }],
    "a summary": [hello, { type: "summary", summary: "sum" }],
    "a tag": [hello, tag("a"), tag("b")],
    "a cleared tag": [hello, tag("a"), tag("")],
    "a tag in the head is not searched": [hello, tag("a"), filler(70_000)],
    "a moved session": [hello, { type: "relocated", relocatedCwd: "/moved" }],
    "a first prompt behind commands and tags": [
      user("u1", null, "<command-name>/clear</command-name>"),
      user("u2", "u1", "<local-command-stdout></local-command-stdout>"),
      user("u3", "u2", "really"),
    ],
    "a command alone": [user("u1", null, "<command-name>/clear</command-name>")],
    "a capital tag is text": [user("u1", null, "<DIV>text")],
    "shell input": [user("u1", null, "<bash-input> ls </bash-input>")],
    "pasted content": [user("u1", null, '<pasted_content id="ab12">\nbody\n</pasted_content id="ab12">')],
    "a long prompt": [user("u1", null, `${"x".repeat(199)}😀${"y".repeat(50)}`)],
    "an interruption": [user("u1", null, "[Request interrupted by user]"), user("u2", "u1", "go on")],
    "a picture": [user("u1", null, [{ type: "image", source: {} }])],
    "a document": [user("u1", null, [{ type: "document", source: {} }])],
    "a meta prompt": [user("u1", null, "meta", { isMeta: true }), user("u2", "u1", "real")],
    "nothing to show": [{ type: "mode", mode: "normal" }],
    "a subagent's": [user("u1", null, "side", { isSidechain: true })],
    "an unusable time": [user("u1", null, "x", { timestamp: "no time" })],
    "a branch that changed": [user("u1", null, "x", { gitBranch: "a" }), user("u2", "u1", "y", { gitBranch: "b" })],
    "odd line ends": [`${JSON.stringify(hello)}\r`, "", `${JSON.stringify(title("t"))}\r`],
    "separators that end no line": [user("u1", null, "a\u2028b\u2029c\u0085d\u000be")],
    "broken bytes around the ends": [
      user("u1", null, "é".repeat(40_000)),
      user("u2", "u1", "ü".repeat(40_001)),
      title("t"),
    ],
  };
  test.each(Object.keys(transcripts))("%s", async (name) => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), transcripts[name] ?? []);

    await infos(idOf(1));
    await infos(idOf(1), "/home/user/p");
    await lists();
    await lists({ dir: "/home/user/p" });
    await lists({ includeProgrammatic: false });
  });

  test("the same titles from the file beside the transcript", async () => {
    for (const customTitle of ["side", " a\tb\u0001c\u200bd\u2028e ", "😀".repeat(210), "\u0000\u0001", 5]) {
      using config = createConfig();
      config.write("/home/user/p", idOf(1), [hello, aiTitle("ai")]);
      const folder = config.path("/home/user/p", idOf(1));
      mkdirSync(folder);
      writeFileSync(join(folder, "custom-title.json"), JSON.stringify({ customTitle }));

      await infos(idOf(1));
      await lists();
    }
  });

  test("the same archive marks", async () => {
    const at = "2026-06-01T00:00:00Z";
    const late = { timestamp: "2026-06-02T00:00:00.000Z" };
    const prompts: Entry[] = [
      user("u2", "u1", "late", late),
      user("u2", "u1", "late", { ...late, isMeta: true }),
      user("u2", "u1", "late", { ...late, origin: { kind: "human" } }),
      user("u2", "u1", "late", { ...late, origin: { kind: "task" } }),
      user("u2", "u1", "<command-name>/x</command-name>", late),
      user("u2", "u1", "<command-message>x</command-message>", late),
      user("u2", "u1", [{ type: "image" }], late),
      user("u2", "u1", [{ type: "tool_result" }], late),
      { ...late, type: "attachment", uuid: "q", attachment: { type: "queued_command", prompt: "late" } },
      {
        ...late,
        type: "attachment",
        uuid: "q",
        attachment: { type: "queued_command", prompt: "x", commandMode: "task-notification" },
      },
    ];
    const marks = [
      { archived: true, at },
      { archived: false, at },
      { archived: true },
      { archived: true, at: "2026-06-01" },
      { archived: true, at: "2026-02-30T00:00:00Z" },
      { archived: true, at: "2026-06-01T02:00:00+02:00" },
      { archived: true, at, pad: "x".repeat(5000) },
    ];
    for (const prompt of prompts) {
      for (const mark of prompt === prompts[0] ? marks : marks.slice(0, 1)) {
        using config = createConfig();
        config.write("/home/user/p", idOf(1), [hello, prompt]);
        mkdirSync(config.path("/home/user/p", idOf(1)));
        writeFileSync(config.path("/home/user/p", idOf(1), "archived.json"), JSON.stringify(mark));

        await infos(idOf(1));
        await lists();
      }
    }
  });

  test("the same cleaned tags", async () => {
    for (const text of [
      "plain\u0001",
      "ﬁx",
      "a\u00adb",
      "ＡＢ",
      "a\ue000b",
      "x\u0378",
      "\ud800x",
      " \u00a0é ",
      "\u{e0061}x",
    ]) {
      using config = createConfig();
      config.write("/home/user/p", idOf(1), [hello]);
      config.write("/home/user/p", idOf(2), [hello]);

      await tagSession(idOf(1), text);
      await peerTag(idOf(2), text);

      expect((await infos(idOf(1)))?.tag).toBe((await infos(idOf(2)))?.tag);
    }
  });
});

describe("lists are those of the official SDK:", () => {
  test("order, ties, pages, copies, and what is left out", async () => {
    using config = createConfig();
    for (let index = 1; index <= 40; index++) {
      const kind = index % 4;
      const lines =
        kind === 0
          ? [user("u1", null, "side", { isSidechain: true })]
          : [user("u1", null, `session ${index}`, { entrypoint: kind === 1 ? "sdk-ts" : "cli" })];
      config.write("/home/user/p", idOf(index), lines, { mtime: 1_770_000_000 + (index % 7) });
    }
    config.write("/home/user/q", idOf(3), [hello], { mtime: 1_780_000_000 });
    config.write("/home/user/p", idOf(50), [], { end: "" });
    writeFileSync(config.path("/home/user/p", "notes.jsonl"), JSON.stringify(hello));

    for (const options of [{}, { limit: 5 }, { limit: 5, offset: 27 }, { offset: 3 }, { limit: 0 }, { limit: 100 }]) {
      await lists(options);
      await lists({ ...options, dir: "/home/user/p", includeProgrammatic: false });
    }
  });

  test("sessions that go on elsewhere", async () => {
    using config = createConfig();
    const next: Entry = { type: "continued-in", continuedInSessionId: idOf(9) };
    config.write("/home/user/p", idOf(1), [hello, next]);
    config.write("/home/user/p", idOf(2), [hello, next, user("u2", "u1", "went on here")]);
    config.write("/home/user/p", idOf(3), [hello, { type: "continued-in", continuedInSessionId: idOf(8) }]);
    config.write("/home/user/p", idOf(4), [hello, { type: "continued-in", continuedInSessionId: idOf(7) }]);
    config.write("/home/user/p", idOf(7), [title("no message yet")]);
    config.write("/home/user/p", idOf(9), [hello]);

    expect((await lists()).map(({ sessionId }) => sessionId)).not.toContain(idOf(1));
    expect(await infos(idOf(1))).toBeDefined();
  });

  test("folders whose keys collide", async () => {
    using config = createConfig();
    const [one, other] = [config.folder("a-b"), config.folder("a/b")];
    config.write(one, idOf(1), [user("u1", null, "of one", { cwd: one })]);
    config.write(one, idOf(2), [user("u1", null, "of the other", { cwd: other })]);
    config.write(one, idOf(3), [user("u1", null, "of a folder that is gone", { cwd: join(config.root, "a_b") })]);

    expect(await lists({ dir: one })).toHaveLength(2);
    expect(await lists({ dir: other })).toHaveLength(2);
    expect(await lists()).toHaveLength(3);
  });

  test("long folders, also with the keys of older CLIs", async () => {
    using config = createConfig();
    const long = `/${"long/".repeat(60)}end`;
    config.write(long, idOf(1), [user("u1", null, "now", { cwd: long })]);
    const key = config.path(long).slice(dirname(config.path(long)).length + 1);
    for (const [index, cwd] of [long, `${long}-other`].entries()) {
      const folder = join(config.configDir, "projects", `${key.slice(0, 200)}-old${index}`);
      mkdirSync(folder);
      writeFileSync(join(folder, `${idOf(2 + index)}.jsonl`), `${JSON.stringify(user("u1", null, "then", { cwd }))}\n`);
    }

    expect(await lists({ dir: long })).toHaveLength(2);
    expect(await infos(idOf(2), long)).toBeDefined();
    expect(await infos(idOf(3), long)).toBeUndefined();
  });

  test("links: a linked project is reached by its folder, a linked transcript is none", async () => {
    using config = createConfig();
    const real = config.folder("real");
    symlinkSync(real, join(config.root, "link"));
    config.write(real, idOf(1), [hello]);
    symlinkSync(config.path(real, `${idOf(1)}.jsonl`), config.path(real, `${idOf(2)}.jsonl`));
    symlinkSync(config.path(real), config.path("/elsewhere"));

    expect(await lists({ dir: join(config.root, "link") })).toHaveLength(1);
    expect(await lists({ dir: "/elsewhere" })).toHaveLength(1);
    expect(await lists()).toHaveLength(1);
    expect(await infos(idOf(2))).toBeUndefined();
    expect(await infos(idOf(1), join(config.root, "link"))).toBeDefined();
  });

  test("worktrees of the repository", async () => {
    using config = createConfig();
    const repository = config.folder("repo");
    const git = (...args: string[]) => {
      const env = { PATH: process.env["PATH"], HOME: config.root, GIT_CONFIG_NOSYSTEM: "1" };
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: repository,
        env,
        stdio: "ignore",
      });
    };
    git("init");
    git("commit", "--allow-empty", "-m", "x");
    git("worktree", "add", "../tree");
    const [tree, sub] = [config.folder("tree"), config.folder("repo/sub")];
    config.write(repository, idOf(1), [user("u1", null, "main", { cwd: repository })]);
    config.write(tree, idOf(2), [user("u1", null, "tree", { cwd: tree })]);
    config.write(sub, idOf(3), [user("u1", null, "sub", { cwd: sub })]);
    config.write(`${repository}-x`, idOf(4), [hello]);

    expect(await lists({ dir: repository })).toHaveLength(2);
    expect(await lists({ dir: repository, includeWorktrees: false })).toHaveLength(1);
    expect(await lists({ dir: sub })).toHaveLength(3);
    expect(await lists({ dir: tree })).toHaveLength(2);
    expect(await infos(idOf(2), repository)).toBeDefined();
    expect(await infos(idOf(3), repository)).toBeUndefined();
  });
});

describe("intended differences from the official SDK:", () => {
  test("what is moved or glued is found whatever the spelling", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [hello, '{"type": "relocated", "relocatedCwd": "/moved"}']);

    expect((await getSessionInfo(idOf(1)))?.cwd).toBe("/moved");
    expect((await peerInfo(idOf(1)))?.cwd).toBe("/home/user/p");
  });

  test("an empty CLAUDE_CONFIG_DIR is none, and a folder can be given", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [hello]);

    vi.stubEnv("CLAUDE_CONFIG_DIR", "");
    vi.stubEnv("HOME", config.root);
    symlinkSync(config.configDir, join(config.root, ".claude"));

    expect(await listSessions()).toHaveLength(1);
    expect(await peerList()).toHaveLength(0);
    expect(await listSessions({ configDir: config.configDir })).toHaveLength(1);
  });

  test("what cannot be read is told, or fails the call", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [hello]);
    // Nobody can read a folder that is a link to itself, not even the super user.
    symlinkSync(config.path("/home/user/q"), config.path("/home/user/q"));

    const problems: string[] = [];
    const onProblem = (problem: { readonly path: string }) => problems.push(problem.path);
    expect(await listSessions({ dir: "/home/user/q", onProblem })).toEqual([]);
    expect(problems).toEqual([config.path("/home/user/q")]);
    await expect(listSessions({ dir: "/home/user/q" })).rejects.toMatchObject({ code: "REINS_TRANSCRIPT_ACCESS" });
    expect(await peerList({ dir: "/home/user/q" })).toEqual([]);
  });
});
