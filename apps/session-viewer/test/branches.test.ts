import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getSessionMessages } from "@reins/sessions";
import { expect, test } from "vitest";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { Conversation } from "../src/page/conversation.ts";
import type { Stub, StubBatch } from "../src/protocol.ts";
import { createFileLibrary } from "../src/server/file-library.ts";
import { listLimits, partsOf } from "../src/server/parts.ts";
import { stubEvents } from "../src/server/streams.ts";

/** A transcript as the server tells it, and what the CLI would go on with. */
async function read(writer: TranscriptWriter): Promise<{
  readonly conversation: Conversation;
  readonly uuidOf: (at: number) => string | undefined;
  readonly textOf: (at: number) => string | undefined;
  readonly resumed: readonly string[];
}> {
  const configDir = await mkdtemp(join(tmpdir(), "session-viewer-"));
  try {
    await writer.write(configDir);
    const library = createFileLibrary({ configDir });
    const conversation = new Conversation();
    const uuids = new Map<number, string>();
    const options = { start: 0, follow: false, signal: new AbortController().signal };
    for await (const { event, data } of stubEvents(library, writer.key, options)) {
      if (event !== "stubs") continue;
      // What stubEvents gives under this name.
      const batch = data as StubBatch;
      conversation.add(batch);
      for (const { at, uuid } of batch.links) uuids.set(at, uuid);
    }
    const texts = new Map<number, string>();
    for await (const { at, entry } of library.read(writer.key, 0, options.signal)) {
      const [part] = entry === undefined ? [] : partsOf(entry, listLimits);
      if (part !== undefined && "text" in part && part.kind !== "record") texts.set(at, part.text);
    }
    const messages = await getSessionMessages(writer.sessionId, { configDir });
    return {
      conversation,
      uuidOf: (at) => uuids.get(at),
      textOf: (at) => texts.get(at),
      resumed: messages.map(({ uuid }) => uuid),
    };
  } finally {
    await rm(configDir, { recursive: true });
  }
}

const writer = (): TranscriptWriter => new TranscriptWriter({ cwd: "/home/dana/mailroom", begin: Date.now() });

/** What is shown, as the uuids of its entries. */
function shownIn({ conversation, uuidOf }: Awaited<ReturnType<typeof read>>, { withResults = true } = {}): string[] {
  const stubs: Stub[] = conversation.view({ stay: false }).rows.flatMap((row) => {
    if ("fork" in row) return [];
    return row.result === undefined || !withResults ? [row.stub] : [row.stub, row.result];
  });
  return stubs.flatMap(({ at, kind }) => (kind === "record" || kind === "compaction" ? [] : (uuidOf(at) ?? [])));
}

/** What is shown, in words: forks as 1/2, entries by their text. */
function wordsOf({ conversation, textOf }: Awaited<ReturnType<typeof read>>): string {
  const { rows } = conversation.view({ stay: true });
  const words = rows.map((row) => {
    return "fork" in row
      ? `${row.fork.chosen + 1}/${row.fork.branches.length}`
      : (textOf(row.stub.at) ?? row.stub.kind);
  });
  return words.join(" ");
}

function turn({ conversation }: Awaited<ReturnType<typeof read>>, fork: number, branch: number): void {
  const forks = conversation.view({ stay: true }).rows.flatMap((row) => ("fork" in row ? row.fork : []));
  const chosen = forks[fork];
  const wanted = chosen?.branches[branch];
  if (chosen === undefined || wanted === undefined) throw new Error(`There is no branch ${branch} of fork ${fork}.`);
  conversation.choose(chosen, wanted);
}

/** The same numbers each time: what fails once fails again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A session in which someone went back often, in the middle of everything. */
function wild(seed: number, { compacts }: { readonly compacts: boolean }): TranscriptWriter {
  const next = random(seed);
  const session = writer().prompt("Begin.");
  const uuids: string[] = [];
  const note = (): void => {
    if (session.tip !== null) uuids.push(session.tip);
  };
  note();
  const use = (id: string): Record<string, unknown> => ({ type: "tool_use", id, name: "Bash", input: {} });
  for (let step = 0; step < 25; step++) {
    switch (next(11)) {
      case 0:
      case 1:
        session.prompt(`Prompt ${step}.`);
        note();
        break;
      case 2:
      case 3:
        session.say(`Answer ${step}.`);
        note();
        break;
      case 4: {
        // Two calls of one response; each result hangs below its own call.
        const message = { id: `m${step}`, role: "assistant" };
        session.entry({ type: "assistant", message: { ...message, content: [use(`a${step}`)] } });
        note();
        const first = session.tip;
        session.entry({ type: "assistant", message: { ...message, content: [use(`b${step}`)] } });
        const second = session.tip;
        session.below(first).result(`a${step}`, "one");
        note();
        if (next(3) > 0) session.below(second).result(`b${step}`, "two");
        note();
        break;
      }
      case 5:
        session.entry({ type: "attachment", attachment: { type: "date" } });
        note();
        break;
      case 6:
        session.entry({ type: "user", isMeta: true, message: { role: "user", content: "Reminder." } });
        note();
        break;
      case 7: {
        // It is what was said last that is kept, and nobody goes back to what was taken away.
        const kept = uuids.at(-1);
        if (!compacts || kept === undefined || kept !== session.tip) break;
        uuids.length = 0;
        if (next(2) > 0) uuids.push(kept);
        session.compact("Summary.", uuids);
        note();
        break;
      }
      default:
        session.below(uuids[next(uuids.length)] ?? null);
    }
  }
  return session;
}

test("shows what the CLI would go on with, wherever someone went back", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const found = await read(wild(seed, { compacts: false }));
    expect([seed, shownIn(found).toSorted()]).toEqual([seed, found.resumed.toSorted()]);
    const rows = new Set(shownIn(found, { withResults: false }));
    expect([...rows]).toEqual(found.resumed.filter((uuid) => rows.has(uuid)));
  }
});

test("shows what the CLI would go on with behind a compaction, and before it what led there", async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const found = await read(wild(seed, { compacts: true }));
    const { rows } = found.conversation.view({ stay: false });
    const begin = rows.findLastIndex((row) => "stub" in row && row.stub.kind === "compaction");
    const shown = new Set(shownIn(found));
    expect([seed, found.resumed.filter((uuid) => !shown.has(uuid))]).toEqual([seed, []]);
    const resumed = new Set(found.resumed);
    const behind = rows
      .slice(begin + 1)
      .flatMap((row) => ("stub" in row && row.stub.kind !== "record" ? row.stub.at : []));
    expect([seed, behind.filter((at) => !resumed.has(found.uuidOf(at) ?? ""))]).toEqual([seed, []]);
  }
});

test("leads from each place where a conversation branches to its other branches", async () => {
  const session = writer().prompt("one").say("ONE");
  const first = session.tip;
  const found = await read(
    session
      .prompt("two")
      .say("TWO")
      .below(first)
      .prompt("two-b")
      .say("TWO-B")
      .prompt("three")
      .below(first)
      .prompt("two-c"),
  );
  expect(wordsOf(found)).toBe("one ONE 3/3 two-c");
  turn(found, 0, 1);
  expect(wordsOf(found)).toBe("one ONE 2/3 two-b TWO-B three");
  expect(found.conversation.view({ stay: true }).isLatest).toBe(false);
  turn(found, 0, 0);
  expect(wordsOf(found)).toBe("one ONE 1/3 two TWO");
  found.conversation.showLatest();
  expect(wordsOf(found)).toBe("one ONE 3/3 two-c");
});

test("knows a branch in a branch, one at the very beginning, and the answer that was given again", async () => {
  const session = writer().prompt("one");
  const prompt = session.tip;
  session.say("ONE").below(prompt).say("ONE-AGAIN");
  const answer = session.tip;
  session.prompt("two").below(answer).prompt("two-b").below(null).prompt("other");
  const found = await read(session);
  expect(wordsOf(found)).toBe("2/2 other");
  turn(found, 0, 0);
  expect(wordsOf(found)).toBe("1/2 one 2/2 ONE-AGAIN 2/2 two-b");
  turn(found, 1, 0);
  expect(wordsOf(found)).toBe("1/2 one 1/2 ONE");
  turn(found, 1, 1);
  turn(found, 2, 0);
  expect(wordsOf(found)).toBe("1/2 one 2/2 ONE-AGAIN 1/2 two");
});

test("takes no compaction for a branch, whether or not it kept entries, nor what was written below those", async () => {
  const session = writer().prompt("one").say("ONE").prompt("two").say("TWO");
  const kept = session.tip ?? "";
  session
    .compact("summary", [kept])
    .say("THREE")
    .below(kept)
    .prompt("four")
    .say("FOUR")
    .compact("summary-2")
    .prompt("five");
  const found = await read(session);
  expect(wordsOf(found)).toBe("one ONE two TWO compaction summary 2/2 four FOUR compaction summary-2 five");
  const plain = writer().prompt("one").say("ONE").compact("summary", []).prompt("two").say("TWO");
  expect(wordsOf(await read(plain))).toBe("one ONE compaction summary two TWO");
});

test("says where someone went back and left, and hides nothing for good", async () => {
  const session = writer().prompt("one").say("ONE");
  const first = session.tip;
  session
    .prompt("two")
    .below(first)
    .entry({ type: "attachment", attachment: { type: "date" } });
  const found = await read(session);
  expect(found.resumed).toHaveLength(2);
  expect(wordsOf(found)).toBe("one ONE 2/2 record");
  turn(found, 0, 0);
  expect(wordsOf(found)).toBe("one ONE 1/2 two record");
});

test("keeps what a subagent said in a transcript of before apart from the conversation", async () => {
  const session = writer().prompt("one");
  const prompt = session.tip;
  const message = { role: "user", content: "Look." };
  session.below(null).entry({ type: "user", isSidechain: true, message }).below(prompt).say("ONE");
  const found = await read(session);
  expect(found.resumed).toHaveLength(2);
  const { rows, isLatest } = found.conversation.view({ stay: false });
  expect(rows.map((row) => "stub" in row && row.isSide)).toEqual([false, true, false]);
  expect(isLatest).toBe(true);
});

test("reads what is damaged as the CLI does: children before their parents, unknown parents, entries twice", async () => {
  const named = (name: string, parentUuid: string | null): Record<string, unknown> => {
    const uuid = `00000000-0000-4000-8000-${name.padStart(12, "0")}`;
    const parent = parentUuid === null ? null : `00000000-0000-4000-8000-${parentUuid.padStart(12, "0")}`;
    return { type: "user", uuid, parentUuid: parent, message: { role: "user", content: name } };
  };
  const session = writer();
  for (const entry of [named("3", "2"), named("2", "1"), named("1", null), named("5", "4"), named("5", "4")])
    session.entry(entry);
  const found = await read(session.entry(named("6", "5")));
  expect(shownIn(found)).toEqual(found.resumed);
  expect(wordsOf(found)).toBe("2/2 5 6");
  turn(found, 0, 0);
  // In the order of the transcript.
  expect(wordsOf(found).replace("1/2 ", "")).toBe("3 2 1");
});

test("ends on a transcript whose entries hang in circles, and shows them", async () => {
  const { conversation } = await read(writer());
  const link = (uuid: string, parent: string, at: number) => ({ uuid, parent, at, message: true, turn: uuid }) as const;
  const links = [link("a", "a", 0), link("b", "c", 1), link("c", "b", 2), link("d", "c", 3)];
  conversation.add({ next: 4, links, stubs: links.map(({ at }) => ({ at, part: 0, kind: "prompt", size: 1 })) });
  conversation.reveal(2);
  expect(conversation.view({ stay: false }).rows).toHaveLength(4);
});
