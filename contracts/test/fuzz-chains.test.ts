import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  FileSystemSessionStore,
  foldSessionSummary,
  getSessionInfo,
  getSessionMessages,
  MemorySessionStore,
  projectKeyForPath,
  readTranscript,
  type SessionStore,
  type SessionStoreEntry,
  sessionUsage,
  transcriptPath,
  usageOf,
  verifySession,
} from "@reins/sessions";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { anyMutation, anyValue, fuzz, fuzzTimeoutMs } from "./fuzz-draw.ts";
import { type Mutation, mutate } from "./fuzz-mutations.ts";

// Transcripts that no CLI would write: circles of parents, parents that are not there, lines that are broken in every way. A reader gives what
// can be had of them, in the end.

const sessionId = "5e551011-0000-4000-8000-000000000001";

interface Link {
  readonly type: "user" | "assistant" | "system" | "attachment" | "progress" | "summary";
  /** Of the entry: a small number, so that some come twice. */
  readonly uuid: number;
  /** Of its parent, which may be the entry itself, a later one, or none. */
  readonly parent: number | null;
  readonly isSidechain: boolean;
  readonly isCompaction: boolean;
}

interface Seed {
  readonly links: readonly Link[];
  /** Changes of lines: which one, counted round, and how. */
  readonly changes: readonly { readonly at: number; readonly mutation: Mutation }[];
}

const user = { type: "user", isSidechain: false, isCompaction: false } as const;

/** Tried in every run: the shapes in which a reader could go round for ever, or lose itself. */
const corpus: readonly Seed[] = [
  { links: [{ ...user, uuid: 1, parent: 1 }], changes: [] },
  { links: [1, 2, 3].map((uuid) => ({ ...user, uuid, parent: (uuid % 3) + 1 })), changes: [] },
  { links: [{ ...user, uuid: 1, parent: 9 }], changes: [] },
  { links: [1, 1, 1].map((uuid) => ({ ...user, uuid, parent: null })), changes: [] },
  {
    links: [1, 2].map((uuid) => ({ ...user, type: "system" as const, isCompaction: true, uuid, parent: 3 - uuid })),
    changes: [],
  },
  {
    links: [1, 2].map((uuid) => ({ ...user, uuid, parent: uuid - 1 })),
    changes: [{ at: 1, mutation: { kind: "retype", pick: 2, value: {} } }],
  },
  {
    links: [1, 2].map((uuid) => ({ ...user, uuid, parent: null })),
    changes: [{ at: 0, mutation: { kind: "cut", pick: 0 } }],
  },
  {
    links: [1, 2].map((uuid) => ({ ...user, uuid, parent: null })),
    changes: [{ at: 1, mutation: { kind: "add", pick: 0, key: "__proto__", value: { uuid: "x" } } }],
  },
];

const anyLink: fc.Arbitrary<Link> = fc.record({
  type: fc.constantFrom("user", "assistant", "system", "attachment", "progress", "summary"),
  uuid: fc.nat({ max: 12 }),
  parent: fc.option(fc.nat({ max: 14 })),
  isSidechain: fc.boolean(),
  isCompaction: fc.boolean(),
});
const anySeed: fc.Arbitrary<Seed> = fc.record({
  links: fc.array(anyLink, { minLength: 1, maxLength: 14 }),
  changes: fc.array(fc.record({ at: fc.nat({ max: 14 }), mutation: anyMutation }), { maxLength: 4 }),
});

function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

function entryOf({ type, uuid, parent, isSidechain, isCompaction }: Link): SessionStoreEntry {
  const message = {
    role: type,
    id: `msg_${uuid}`,
    model: "m",
    content: `text ${uuid}`,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return {
    type,
    uuid: uuidOf(uuid),
    parentUuid: parent === null ? null : uuidOf(parent),
    sessionId,
    isSidechain,
    timestamp: "2026-01-01T00:00:00.000Z",
    ...(type === "user" || type === "assistant" ? { message } : {}),
    ...(type === "system" && isCompaction
      ? {
          subtype: "compact_boundary",
          logicalParentUuid: uuidOf(parent ?? 0),
          compactMetadata: { trigger: "auto", preTokens: 1 },
        }
      : {}),
  };
}

/** The lines of the transcript with their changes. */
function linesOf({ links, changes }: Seed): Uint8Array[] {
  const lines = links.map((link) => JSON.stringify(entryOf(link)));
  return lines.map((line, index) => {
    const change = changes.find(({ at }) => at % lines.length === index);
    return change === undefined ? new TextEncoder().encode(line) : mutate(line, change.mutation);
  });
}

const folder = await mkdtemp(join(tmpdir(), `reins-fuzz-${process.pid}-`));
afterAll(() => rm(folder, { recursive: true, force: true }));

const examples = corpus.map((seed): [Seed] => [seed]);

test("a transcript of any shape is read to its end: no message twice, none that is not there, and each broken line is told", {
  timeout: fuzzTimeoutMs,
}, async () => {
  const key = { projectKey: projectKeyForPath(folder), sessionId };
  const path = transcriptPath(key, { configDir: folder });
  await mkdir(dirname(path), { recursive: true });
  const property = fc.asyncProperty(anySeed, async (seed) => {
    await writeFile(path, Buffer.concat(linesOf(seed).flatMap((line) => [line, Buffer.from("\n")])));
    const where = { configDir: folder, dir: folder, onProblem: () => {} };

    const messages = await getSessionMessages(sessionId, { ...where, includeSystemMessages: true });
    const uuids = messages.map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    const known = new Set<unknown>();
    for await (const line of readTranscript(path, where)) if (line.error === undefined) known.add(line.entry["uuid"]);
    for (const uuid of uuids) expect(known).toContain(uuid);
    await getSessionInfo(sessionId, where);
    await sessionUsage(sessionId, where);
  });
  await fc.assert(property, { ...fuzz(150), examples });
});

test("a store of files keeps what a store in memory keeps, entries of any shape, appended in any parts", {
  timeout: fuzzTimeoutMs,
}, async () => {
  const anyEntry = fc.oneof(
    anyLink.map(entryOf),
    fc.dictionary(fc.string({ maxLength: 6 }), anyValue, { maxKeys: 4 }).map((entry) => ({ type: "user", ...entry })),
  );
  const anyParts = fc.array(fc.array(anyEntry, { maxLength: 4 }), { maxLength: 5 });
  let runs = 0;
  const property = fc.asyncProperty(anyParts, async (parts) => {
    const key = { projectKey: "-fuzz", sessionId: `session-${runs++}` };
    const memory = new MemorySessionStore();
    await using files = new FileSystemSessionStore({ root: join(folder, "store"), fsync: "never" });
    const outcomes = await Promise.all([memory, files].map((store) => appendAll(store, key, parts)));
    expect(outcomes[1]).toEqual(outcomes[0]);
    const loaded = await Promise.all([memory.load(key), files.load(key)]);
    expect(loaded[1]).toEqual(loaded[0]);
    // Neither of them throws.
    foldSessionSummary(undefined, key, loaded[0] ?? []);
    await usageOf(loaded[0] ?? []);
    if (loaded[0] !== null) await verifySession(files, key);
  });
  await fc.assert(property, fuzz(60));
});

/** Appends part by part, and gives the codes of the failures. */
async function appendAll(
  store: SessionStore,
  key: { readonly projectKey: string; readonly sessionId: string },
  parts: readonly (readonly object[])[],
): Promise<unknown[]> {
  const codes: unknown[] = [];
  for (const part of parts) {
    // Of any shape, on purpose.
    await store
      .append(key, part as SessionStoreEntry[])
      .catch((error: { code?: unknown }) => codes.push(error.code ?? error));
  }
  return codes;
}
