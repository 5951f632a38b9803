import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InMemorySessionStore } from "@anthropic-ai/claude-agent-sdk";
import { FileSystemSessionStore, MemorySessionStore } from "@reins/sessions";
import { runSessionStoreChecks, type SessionStoreFactory, sessionStoreChecks } from "@reins/sessions/conformance";
import { describe, expect, test } from "vitest";
import { SessionFolders } from "../src/store/filesystem/session-folders.ts";

const everything = ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"] as const;

const memory: SessionStoreFactory<MemorySessionStore> = {
  capabilities: everything,
  create: () => new MemorySessionStore(),
};

describe("MemorySessionStore", () => {
  const checks = sessionStoreChecks(memory);
  test.each(checks.filter(({ skip }) => skip === undefined))("$name: $title", (check) => check.run());
  test("is spared only what needs data that outlives it", () => {
    const skipped = checks.filter(({ skip }) => skip !== undefined);
    expect(new Set(skipped.map(({ skip }) => skip))).toEqual(
      new Set([
        "the factory cannot reopen a store",
        "the factory cannot connect a second store to the same data",
        "the factory cannot crash a store",
      ]),
    );
  });
});

/** Locks are given back soon, so that a second client need not wait for long. */
function openFiles(root: string): FileSystemSessionStore {
  return new FileSystemSessionStore({ root, fsync: "never", lockIdleMs: 50 });
}

const files: SessionStoreFactory<FileSystemSessionStore> = {
  capabilities: everything,
  create: async () => openFiles(await mkdtemp(join(tmpdir(), `reins-store-${process.pid}-`))),
  async destroy(store) {
    await store.close();
    await rm(store.root, { recursive: true, force: true });
  },
  async reopen(store) {
    await store.close();
    return openFiles(store.root);
  },
  connect: (store) => openFiles(store.root),
  async crash(store, key) {
    await store.close();
    // What is left when a process is killed: for a first append a draft, otherwise half a line.
    const transcript = join(new SessionFolders(store.root, "never").transcript(key), "transcript.jsonl");
    const torn = '{"type":"user","uuid":"torn","message":{"con';
    if ((await store.load(key)) === null) {
      await mkdir(dirname(transcript), { recursive: true });
      await writeFile(`${transcript}.tmp`, torn);
    } else {
      await appendFile(transcript, torn);
    }
    return openFiles(store.root);
  },
};

describe("FileSystemSessionStore", () => {
  const checks = sessionStoreChecks(files);
  test.each(checks)("$name: $title", (check) => check.run(), 130_000);
});

describe("the official InMemorySessionStore", () => {
  const official: SessionStoreFactory<InMemorySessionStore> = {
    capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys"],
    create: () => new InMemorySessionStore(),
  };

  test("passes all but what it is known not to do", async () => {
    const { failed } = await runSessionStoreChecks(official, () => {}, {
      largeSessionEntries: 2_000,
      largeProjectSessions: 50,
    });
    expect(failed.map(({ name }) => name)).toEqual([
      // It creates a transcript, and hands out and keeps the objects of its callers.
      "empty-append",
      "loaded-is-private",
      "appended-is-copied",
      // It knows no uuids.
      "retry-stores-once",
      "batch-stores-once",
      "concurrent-retry-stores-once",
      "summary-is-fold",
      "summary-of-mixed-batch",
      "summary-folds-on",
      // It joins the parts of a key with a slash.
      "odd-session-ids",
      "key-boundaries",
      // Ends with a retry.
      "large-session",
    ]);
  });
});
