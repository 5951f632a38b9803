import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { MemorySessionStore, projectKeyForDirectory, type SessionStore } from "@reins/sessions";
import {
  createSandbox,
  type ModelScript,
  type Sandbox,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { describe, expect, test, vi } from "vitest";
import { AbortError, type Message, OptionError, type Options, query } from "../src/index.ts";
import { realOptions } from "./real-cli.ts";

// The real CLI, offline: the model is a script on loopback.

interface Machine {
  readonly sandbox: Sandbox;
  readonly ask: (prompt: string, options?: Options) => Promise<Message[]>;
}

/** Runs with so many machines: home folders of their own, and one model. */
async function onMachines(
  count: number,
  script: ModelScript,
  act: (machines: readonly Machine[], userTexts: () => readonly string[]) => Promise<void>,
): Promise<void> {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  const machines: Machine[] = [];
  for (let index = 0; index < count; index++) {
    const sandbox = await createSandbox({ model });
    machines.push({
      sandbox,
      ask: async (prompt, options = {}) => {
        await using session = query({
          prompt,
          options: { ...realOptions(sandbox), ...options },
        });
        const messages: Message[] = [];
        for await (const message of session) messages.push(message);
        return messages;
      },
    });
  }
  try {
    await act(machines, () => model.requests.map((request) => JSON.stringify(request.body.messages)));
  } finally {
    for (const { sandbox } of machines) await sandbox.close();
  }
}

function resultOf(messages: readonly Message[]): { result: string; session_id: string } {
  return messages.findLast(({ type }) => type === "result") as unknown as { result: string; session_id: string };
}

async function resumeFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`reins-resume-${process.pid}-`));
}

test("what the CLI writes is in the store when the result comes, whatever home folder it was given", async () => {
  await onMachines(
    1,
    () => text("Hello."),
    async ([machine]) => {
      const { sandbox, ask } = machine as Machine;
      const store = new MemorySessionStore();
      const messages = await ask("Hi.", { sessionStore: store });
      expect(messages.some(({ type }) => (type as string) === "transcript_mirror")).toBe(false);
      const { session_id: sessionId } = resultOf(messages);
      const entries = await store.load({ projectKey: projectKeyForDirectory(sandbox.cwd), sessionId });
      const types = new Set(entries?.map(({ type }) => type));
      expect(types).toContain("user");
      expect(types).toContain("assistant");
    },
  );
});

test("a session goes on from the store on other machines, with its subagent, and leaves nothing there", async () => {
  const script: ModelScript = ({ toolResults, userText, body }) => {
    if (JSON.stringify(body.messages[0]).includes("Look around.")) return text("Found it.");
    if (toolResults.length > 0) return text("The agent is back.");
    if (userText.includes("agent")) {
      return toolUse("Agent", {
        description: "d",
        prompt: "Look around.",
        subagent_type: "general-purpose",
        run_in_background: false,
      });
    }
    return text(`Answer to ${userText}`);
  };
  await onMachines(3, script, async ([first, second, third], bodies) => {
    const store = new MemorySessionStore();
    // One project, as if the same folder were on all machines.
    const cwd = (first as Machine).sandbox.cwd;
    const started = resultOf(
      await (first as Machine).ask("Ask an agent.", { sessionStore: store, cwd, tools: ["Agent"] }),
    );
    expect(started.result).toBe("The agent is back.");
    const key = { projectKey: projectKeyForDirectory(cwd), sessionId: started.session_id };
    expect(await store.listSubkeys(key)).toHaveLength(1);

    const resumed = resultOf(
      await (second as Machine).ask("two", { sessionStore: store, cwd, resume: started.session_id }),
    );
    expect(resumed).toMatchObject({ result: "Answer to two", session_id: started.session_id });
    const continued = resultOf(await (third as Machine).ask("three", { sessionStore: store, cwd, continue: true }));
    expect(continued).toMatchObject({ result: "Answer to three", session_id: started.session_id });
    const last = bodies().at(-1);
    for (const part of ["Ask an agent.", "The agent is back.", "two", "Answer to two", "three"])
      expect(last).toContain(part);
    expect(await resumeFolders()).toEqual([]);
  });
});

test("a fork goes on under an id of its own, and the whole of it is in the store", async () => {
  await onMachines(
    2,
    ({ userText }) => text(`Answer to ${userText}`),
    async ([first, second]) => {
      const store = new MemorySessionStore();
      const cwd = (first as Machine).sandbox.cwd;
      const { session_id: resume } = resultOf(await (first as Machine).ask("one", { sessionStore: store, cwd }));
      const messages = await (second as Machine).ask("two", { sessionStore: store, cwd, resume, forkSession: true });
      const { session_id: sessionId } = resultOf(messages);
      expect(sessionId).not.toBe(resume);
      const fork = JSON.stringify(await store.load({ projectKey: projectKeyForDirectory(cwd), sessionId }));
      for (const part of ["one", "Answer to one", "two", "Answer to two"]) expect(fork).toContain(part);
    },
  );
});

describe("a store that", () => {
  const failing: readonly (readonly [string, Partial<SessionStore>, RegExp])[] = [
    ["throws", { append: () => Promise.reject(new Error("no room")) }, /append\(\) failed: no room/],
    [
      "throws at once",
      {
        append: () => {
          throw new Error("broken");
        },
      },
      /append\(\) failed: broken/,
    ],
  ];
  test.each(failing)("%s loses no turn, and says so ahead of the result", async (_how, own, error) => {
    await onMachines(
      1,
      () => text("Hello."),
      async ([machine]) => {
        const store: SessionStore = { append: async () => {}, load: async () => null, ...own };
        const messages = await (machine as Machine).ask("Hi.", { sessionStore: store });
        expect(resultOf(messages).result).toBe("Hello.");
        const kinds = messages.map((message) => ("subtype" in message ? message.subtype : message.type));
        const loss = messages.find((message) => message.type === "system" && message.subtype === "mirror_error");
        expect(loss).toMatchObject({ error: expect.stringMatching(error), session_id: resultOf(messages).session_id });
        expect(kinds.indexOf("mirror_error")).toBeLessThan(messages.findIndex(({ type }) => type === "result"));
      },
    );
  });

  test("has no such session, or answers with a failure, gives the CLI's own refusal or that failure", async () => {
    await onMachines(
      1,
      () => text("Hello."),
      async ([machine]) => {
        const { ask } = machine as Machine;
        const resume = "11111111-1111-4111-8111-111111111111";
        const empty: SessionStore = { append: async () => {}, load: async () => null };
        await expect(ask("Hi.", { sessionStore: empty, resume })).rejects.toThrow(
          "No conversation found with session ID",
        );
        const broken: SessionStore = { ...empty, load: () => Promise.reject(new Error("unreachable")) };
        await expect(ask("Hi.", { sessionStore: broken, resume })).rejects.toThrow("unreachable");
        const hanging: SessionStore = { ...empty, load: () => new Promise(() => {}) };
        const slow = ask("Hi.", { sessionStore: hanging, resume, loadTimeoutMs: 50 });
        await expect(slow).rejects.toThrow(/load\(\) timed out after 50ms for session 11111111/);
        expect(await resumeFolders()).toEqual([]);
      },
    );
  });
});

describe("a store that hangs", () => {
  const id = "11111111-1111-4111-8111-111111111111";
  const entries = [{ type: "user", uuid: "u1", message: { role: "user", content: "Hi." } }];
  const store: SessionStore = {
    append: async () => {},
    load: async () => entries,
    listSessions: async () => [{ sessionId: id, mtime: 1 }],
    listSubkeys: async () => [],
  };

  test.each<["load" | "listSessions" | "listSubkeys", Options]>([
    ["load", { resume: id }],
    ["listSessions", { continue: true }],
    ["listSubkeys", { resume: id }],
  ])("at %s does not hold up a close or an abort, and nothing is started for it", async (step, options) => {
    await using _leaks = startLeakCheck();
    const releases: (() => void)[] = [];
    const hanging = vi.fn(() => new Promise<never>((_, reject) => releases.push(() => reject(new Error("released")))));
    const spawnClaudeCodeProcess = vi.fn();
    const start = (more: Options = {}): ReturnType<typeof query> =>
      query({
        prompt: "Hi.",
        options: { sessionStore: { ...store, [step]: hanging }, ...options, spawnClaudeCodeProcess, ...more },
      });
    const closed = start();
    const reading = closed.next();
    const abortController = new AbortController();
    const aborted = start({ abortController });
    const failing = expect(aborted.next()).rejects.toBeInstanceOf(AbortError);
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    abortController.abort();
    await Promise.all([closed.close(), aborted.close(), failing]);
    expect(await reading).toMatchObject({ done: true });
    await expect(aborted.setModel("m")).rejects.toBeInstanceOf(AbortError);
    for (const release of releases) release();
    await vi.waitFor(async () => expect(await resumeFolders()).toEqual([]), { timeout: 10_000 });
    expect(spawnClaudeCodeProcess).not.toHaveBeenCalled();
  });

  test("and answers behind a close leaves no folder", async () => {
    let answer = (): void => {};
    const listSubkeys = vi.fn(
      () =>
        new Promise<string[]>((resolve) => {
          answer = () => resolve([]);
        }),
    );
    const session = query({ prompt: "Hi.", options: { sessionStore: { ...store, listSubkeys }, resume: id } });
    await vi.waitFor(() => expect(listSubkeys).toHaveBeenCalled(), { timeout: 10_000 });
    expect(await resumeFolders()).toHaveLength(1);
    await session.close();
    answer();
    await vi.waitFor(async () => expect(await resumeFolders()).toEqual([]), { timeout: 10_000 });
  });
});

test.each<[Options, string]>([
  [{ persistSession: false }, "persistSession"],
  [{ enableFileCheckpointing: true }, "enableFileCheckpointing"],
  [{ continue: true }, "listSessions"],
])("a store with %j is refused at the call", (options, words) => {
  const sessionStore: SessionStore = { append: async () => {}, load: async () => null };
  const start = (): unknown => query({ prompt: "Hi.", options: { sessionStore, ...options } });
  expect(start).toThrow(OptionError);
  expect(start).toThrow(words);
});
