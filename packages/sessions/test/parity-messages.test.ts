import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  InMemorySessionStore,
  getSessionMessages as peerMessages,
  getSubagentMessages as peerSubagentMessages,
  listSubagents as peerSubagents,
} from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test, vi } from "vitest";
import { type GetSessionMessagesOptions, getSessionMessages } from "../src/transcript/get-session-messages.ts";
import { projectKeyForPath } from "../src/transcript/project-key.ts";
import { getSubagentMessages, listSubagents } from "../src/transcript/subagents.ts";
import { asJson, assistant, createConfig, type Entry, entry, idOf, user } from "./transcripts/config.ts";
import { type Feature, randomTranscript } from "./transcripts/random-transcript.ts";

/** Fields by which our system messages say more, on purpose. */
const added = ["subtype", "content", "level", "compactMetadata"];

function withoutAdded(messages: readonly unknown[]): unknown {
  return (asJson(messages) as Entry[]).map((message) =>
    message["type"] === "system"
      ? Object.fromEntries(Object.entries(message).filter(([name]) => !added.includes(name)))
      : message,
  );
}

/** Reads with both, expects the same, and gives the uuids. */
async function read(options: Omit<GetSessionMessagesOptions, "onProblem" | "configDir" | "sessionStore"> = {}) {
  const ours = await getSessionMessages(idOf(1), options);
  const theirs = await peerMessages(idOf(1), JSON.parse(JSON.stringify(options)));
  expect(withoutAdded(ours)).toEqual(withoutAdded(theirs));
  return ours.map(({ uuid }) => uuid);
}

function boundary(uuid: string, parent: string | null, compactMetadata: Entry): Entry {
  return entry("system", uuid, null, {
    logicalParentUuid: parent,
    subtype: "compact_boundary",
    content: "Conversation compacted",
    compactMetadata: { trigger: "manual", ...compactMetadata },
  });
}

const opening = [
  user("u1", null, "one"),
  assistant("a1", "u1", "1"),
  user("u2", "a1", "two"),
  assistant("a2", "u2", "2"),
];

describe("a conversation reads as with the official SDK:", () => {
  const cases: Record<string, readonly [lines: readonly (Entry | string)[], uuids: readonly string[]]> = {
    "a plain one": [opening, ["u1", "a1", "u2", "a2"]],
    "the branch written last": [
      [...opening, user("u3", "a1", "again")],
      ["u1", "a1", "u3"],
    ],
    "kept messages behind a summary": [
      [
        ...opening,
        boundary("b", "a2", { preservedMessages: { anchorUuid: "s", uuids: ["u2", "a2"], allUuids: ["u2", "a2"] } }),
        user("s", "b", "summary", { isCompactSummary: true }),
        user("u3", "s", "three"),
      ],
      ["s", "u2", "a2", "u3"],
    ],
    "a kept segment behind a summary": [
      [
        ...opening,
        boundary("b", "a2", { preservedSegment: { headUuid: "u2", anchorUuid: "s", tailUuid: "a2" } }),
        user("s", "b", "summary", { isCompactSummary: true }),
        user("u3", "s", "three"),
      ],
      ["s", "u2", "a2", "u3"],
    ],
    "a compaction that names what is not there": [
      [
        ...opening,
        boundary("b", "a2", { preservedMessages: { anchorUuid: "s", uuids: ["u2", "gone"], allUuids: [] } }),
        user("s", "b", "summary", { isCompactSummary: true }),
      ],
      ["s"],
    ],
    "two compactions": [
      [
        ...opening,
        boundary("b1", "a2", { preservedMessages: { anchorUuid: "s1", uuids: ["a2"], allUuids: ["a2"] } }),
        user("s1", "b1", "summary", { isCompactSummary: true }),
        user("u3", "s1", "three"),
        boundary("b2", "u3", { preservedMessages: { anchorUuid: "s2", uuids: ["u3"], allUuids: ["u3"] } }),
        user("s2", "b2", "summary", { isCompactSummary: true }),
        assistant("a3", "s2", "3"),
      ],
      ["s2", "u3", "a3"],
    ],
    "parallel calls": [
      [
        user("u1", null, "go"),
        assistant("a1", "u1", [{ type: "text", text: "both" }], { id: "m" }),
        assistant("a2", "a1", [{ type: "tool_use", id: "t1" }], { id: "m" }),
        assistant("a3", "a2", [{ type: "tool_use", id: "t2" }], { id: "m" }),
        user("r2", "a3", [{ type: "tool_result", tool_use_id: "t2" }]),
        user("r1", "a2", [{ type: "tool_result", tool_use_id: "t1" }]),
        assistant("a4", "r1", "done"),
      ],
      ["u1", "a1", "a2", "a3", "r2", "r1", "a4"],
    ],
    "a prompt taken into a running turn": [
      [
        ...opening,
        {
          type: "queue-operation",
          operation: "remove",
          reason: "absorbed_mid_turn",
          commandUuid: "q",
          deliveryId: "d",
        },
        entry("attachment", "x", "a2", {
          attachment: {
            type: "queued_command",
            prompt: "also",
            source_uuid: "q",
            delivery_id: "d",
            commandMode: "prompt",
          },
        }),
        assistant("a3", "x", "3"),
      ],
      ["u1", "a1", "u2", "a2", "q", "a3"],
    ],
    "a prompt that still waits": [
      [...opening, entry("attachment", "x", "a2", { attachment: { type: "queued_command", prompt: "later" } })],
      ["u1", "a1", "u2", "a2", "x"],
    ],
    "a torn line, and a line of something else": [
      [...opening, '{"parentUuid":"a2","type":"us', "no JSON", "null", "[1]", user("u3", "a2", "three")],
      ["u1", "a1", "u2", "a2", "u3"],
    ],
    "a record glued to a torn line is lost": [
      [...opening, `{"type":"us${JSON.stringify(user("u3", "a2", "three"))}`],
      ["u1", "a1", "u2", "a2"],
    ],
    "a command with its output, and the ones without": [
      [
        user("c", null, "<local-command-caveat>x</local-command-caveat>", { isMeta: true }),
        user("n", "c", "<command-name>/x</command-name>"),
        entry("system", "y", "n", {
          subtype: "local_command",
          content: "<local-command-stdout></local-command-stdout>",
        }),
        user("o", "y", "<local-command-stdout>x</local-command-stdout>"),
        user("u1", "o", "one"),
        user("n2", "u1", "<command-name>/x</command-name>"),
      ],
      ["n", "o", "u1", "n2"],
    ],
    "entries on one cycle": [[user("u1", "u2", "one"), user("u2", "u1", "two")], []],
    "subagents' entries of old CLIs": [
      [...opening, user("x", "a2", "side", { isSidechain: true })],
      ["u1", "a1", "u2", "a2"],
    ],
    nothing: [[{ type: "mode", mode: "normal" }], []],
  };
  test.each(Object.keys(cases))("%s", async (name) => {
    const [lines, uuids] = cases[name] ?? [[], []];
    using config = createConfig();
    config.write("/home/user/p", idOf(1), lines);

    expect(await read()).toEqual(uuids);
    await read({ includeSystemMessages: true });
    await read({ dir: "/home/user/p", limit: 2, offset: 1 });
    await read({ offset: 2 });
  });

  test("a linked transcript is read", async () => {
    using config = createConfig();
    const path = config.write("/home/user/p", idOf(2), opening);
    symlinkSync(path, config.path("/home/user/p", `${idOf(1)}.jsonl`));

    expect(await read()).toHaveLength(4);
  });

  test("an empty copy is passed over", async () => {
    using config = createConfig();
    config.write("/a", idOf(1), [], { end: "" });
    config.write("/b", idOf(1), opening);

    expect(await read()).toHaveLength(4);
    expect(await read({ dir: "/a" })).toEqual([]);
  });

  test("a large transcript begins at the last compaction that kept nothing", async () => {
    using config = createConfig();
    const pad = { pad: "x".repeat(1_000_000) };
    const lines = [
      ...opening,
      boundary("b", "a2", {}),
      user("s", "b", "summary", { isCompactSummary: true, ...pad }),
      // Hangs below what came before: a chain that only a small file can follow.
      user("u3", "a2", "three", pad),
    ];
    for (const copies of [0, 5]) {
      config.write("/home/user/p", idOf(1), [
        ...lines,
        ...Array.from({ length: copies }, () => ({ type: "x", ...pad })),
      ]);
      expect(await read()).toHaveLength(copies === 0 ? 5 : 1);
    }
    for (const value of ["1", " TRUE ", "yes", "on", "0", "false", "no", "2", ""]) {
      vi.stubEnv("CLAUDE_CODE_DISABLE_PRECOMPACT_SKIP", value);
      await read();
    }
  });

  test("what was said in a voice call is a message", async () => {
    const spoken = (uuid: string, parentUuid: string, more: Entry) =>
      entry("system", uuid, parentUuid, {
        subtype: "voice_call_talk",
        content: `said ${uuid}`,
        origin: { kind: "voice-call" },
        ...more,
      });
    const command = { type: "queued_command", source_uuid: "q", prompt: "typed", commandMode: "prompt" };
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [
      ...opening,
      spoken("v1", "a2", { level: "info", msgV: 1 }),
      assistant("a3", "v1", "heard"),
      spoken("v2", "a3", { blocks: [{ type: "text", text: "in blocks" }] }),
      spoken("v3", "v2", { fold: { command, gitBranch: "main" } }),
      spoken("v4", "v3", { isMeta: true }),
      spoken("v5", "v4", { origin: { kind: "other" } }),
      spoken("v6", "v5", { fold: { command: "none" } }),
      spoken("v7", "v6", { content: 5 }),
      assistant("a4", "v7", "done"),
    ]);
    expect(await read()).toEqual(expect.arrayContaining(["v1", "v2"]));
    await read({ includeSystemMessages: true });
  });

  const features: readonly (readonly Feature[])[] = [
    ["repeats", "cycles", "sidechains"],
    ["calls", "sidechains"],
    ["compactions"],
    ["calls", "compactions"],
    ["queue"],
    ["commands", "denials"],
  ];
  test.each(features.map((list) => [list.join(", "), list] as const))("150 random trees with %s", async (_, list) => {
    using config = createConfig();
    for (let seed = 1; seed <= 150; seed++) {
      const lines = randomTranscript(seed, list);
      config.write("/home/user/p", idOf(1), lines);
      const options = [{}, { includeSystemMessages: true }, { limit: 3, offset: 1 }][seed % 3] ?? {};
      const ours = withoutAdded(await getSessionMessages(idOf(1), options));
      const theirs = withoutAdded(await peerMessages(idOf(1), options));
      expect(ours, `seed ${seed}: ${lines.map((line) => JSON.stringify(line)).join("\n")}`).toEqual(theirs);
    }
  });
});

describe("subagents read as with the official SDK:", () => {
  test("ids, parents, nested folders and broken side files", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), opening);
    const write = (name: string, lines: readonly Entry[], metadata?: string) => {
      const path = config.path("/home/user/p", idOf(1), "subagents", `${name}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      if (metadata !== undefined) writeFileSync(path.replace(/jsonl$/, "meta.json"), metadata);
    };
    const side = { isSidechain: true, agentId: "a1" };
    const lines = [
      user("x1", null, "task", side),
      assistant("x2", "x1", "done", side),
      user("x3", "x1", "meta", { ...side, isMeta: true }),
    ];
    write("agent-a1", lines, JSON.stringify({ toolUseId: "toolu_1", parentAgentId: "a0" }));
    write("agent-a2", lines, "{");
    write("agent-a3", lines, JSON.stringify({ toolUseId: "with space", parentAgentId: "../x" }));
    write("workflows/run/agent-a4", lines);
    write("workflows/run/agent-a1", lines.slice(0, 1));
    write("other", lines);

    const ids = await listSubagents(idOf(1));
    expect(ids).toEqual(["a1", "a2", "a3", "a4"]);
    // Theirs come in the order of the folder, and a repeated id as often as it is there.
    expect([...new Set(await peerSubagents(idOf(1)))].sort()).toEqual(ids);
    for (const id of [...ids, "a9", ""]) {
      expect(asJson(await getSubagentMessages(idOf(1), id))).toEqual(asJson(await peerSubagentMessages(idOf(1), id)));
    }
    rmSync(config.path("/home/user/p", `${idOf(1)}.jsonl`));
    expect(await listSubagents(idOf(1))).toEqual([]);
    expect(await peerSubagents(idOf(1))).toEqual([]);
  });

  test("the same from a store", async () => {
    const store = new InMemorySessionStore();
    const key = { projectKey: projectKeyForPath("/home/user/p"), sessionId: idOf(1) };
    await store.append(key, opening as never);
    const agent = { ...key, subpath: "subagents/agent-a1" };
    const side = { isSidechain: true, agentId: "a1" };
    await store.append(agent, [
      user("x1", null, "task", side),
      { type: "agent_metadata", toolUseId: "toolu_0" },
      assistant("x2", "x1", "done", side),
      { type: "agent_metadata", toolUseId: "toolu_1" },
    ] as never);
    const options = { dir: "/home/user/p", sessionStore: store };

    expect(asJson(await getSessionMessages(idOf(1), options))).toEqual(asJson(await peerMessages(idOf(1), options)));
    expect(await listSubagents(idOf(1), options)).toEqual(await peerSubagents(idOf(1), options));
    expect(asJson(await getSubagentMessages(idOf(1), "a1", options))).toEqual(
      asJson(await peerSubagentMessages(idOf(1), "a1", options)),
    );
    expect(await getSubagentMessages(idOf(1), "a1", options)).toMatchObject([
      { uuid: "x1", parent_tool_use_id: "toolu_1" },
      { uuid: "x2" },
    ]);
  });
});

describe("intended differences from the official SDK:", () => {
  test("system messages say what they are about", async () => {
    using config = createConfig();
    config.write("/home/user/p", idOf(1), [
      ...opening,
      entry("system", "n", "a2", { subtype: "informational", content: "note", level: "info" }),
      user("u3", "n", "3"),
    ]);

    const options = { includeSystemMessages: true };
    expect((await getSessionMessages(idOf(1), options))[4]).toMatchObject({
      subtype: "informational",
      content: "note",
    });
    expect((await peerMessages(idOf(1), options))[4]).not.toHaveProperty("content");
  });

  test("lines that are no entries are told", async () => {
    using config = createConfig();
    const path = config.write("/home/user/p", idOf(1), [...opening, "torn"]);

    const problems: unknown[] = [];
    await getSessionMessages(idOf(1), { onProblem: (problem) => problems.push(problem) });
    expect(problems).toMatchObject([{ code: "REINS_TRANSCRIPT_LINE", path, cause: { line: "torn" } }]);
    expect(dirname(path)).toBe(join(config.path("/home/user/p")));
  });
});
