import { PassThrough } from "node:stream";
import { decodeFrames } from "@reins/streamjson";
import { createSandbox, findTestBinary, type ModelScript, startLeakCheck, startScriptedModel } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  type ConformancePeer,
  type ConformanceScript,
  conformanceScripts,
  runConformance,
} from "../src/conformance/index.ts";
import { type BridgeMessage, type HostMessage, runBridge } from "../src/index.ts";

/** The bridge over the real CLI, with the script's model. */
async function connectBridge({ model: turns = [] }: ConformanceScript): Promise<ConformancePeer> {
  const leaks = startLeakCheck();
  // The kit's turns have the form of the testkit, as its scripts say.
  const model = await startScriptedModel(turns as Extract<ModelScript, readonly unknown[]>);
  const sandbox = await createSandbox({ model });
  const input = new PassThrough();
  const output = new PassThrough();
  const options = { pathToClaudeCodeExecutable: findTestBinary(), cwd: sandbox.cwd, env: sandbox.env, endGraceMs: 200 };
  const done = runBridge({ input, output, options }).then(() => output.end());
  return {
    output,
    write: (lines) => void input.write(lines),
    end: () => void input.end(),
    close: async () => {
      input.end();
      await done;
      await model.close();
      await sandbox.close();
      await leaks.assertClean();
    },
  };
}

describe("the bridge over the real CLI keeps to the protocol", () => {
  test.each(conformanceScripts.filter(({ plays }) => plays === "host"))("$name: $about", async (script) => {
    const { failure, log } = await runConformance(script, connectBridge);
    expect(failure, JSON.stringify(log, undefined, 1)).toBeUndefined();
  });
});

function scriptOf(name: string): ConformanceScript {
  const script = conformanceScripts.find((each) => each.name === name);
  if (script === undefined) throw new Error(`There is no script ${name}.`);
  return script;
}

/** A side that answers each message with others, and may forget what it likes. */
function connectToy<In, Out>(
  answer: (message: In) => readonly (Out | object)[],
  first: readonly (Out | object)[] = [],
): () => Promise<ConformancePeer> {
  return async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const write = (messages: readonly unknown[]): void => {
      for (const message of messages) output.write(`${JSON.stringify(message)}\n`);
    };
    void (async () => {
      write(first);
      // The kit writes messages of the other side.
      for await (const { value } of decodeFrames(input)) write(answer(value as unknown as In));
      output.end();
    })();
    const close = async (): Promise<void> => void input.end();
    return { output, close, write: (lines) => void input.write(lines), end: () => void input.end() };
  };
}

/** The least of a bridge, with one thing that it does otherwise. */
function toyBridge(
  change: (message: HostMessage, answers: (BridgeMessage | object)[]) => readonly (BridgeMessage | object)[],
) {
  const session_id = "s";
  let prompts = 0;
  const end = (id: string, text: string) => [
    { type: "event", message: { type: "result" } },
    { type: "turn_end", id, outcome: "completed", text, session_id },
  ];
  return connectToy<HostMessage, BridgeMessage>((message) => {
    const answers = (): (BridgeMessage | object)[] => {
      switch (message.type) {
        case "hello":
          return [{ type: "hello", protocol: 1, bridge: "toy" }];
        case "open":
          return [{ type: "opened", session_id, restarted: false }];
        case "send":
          prompts++;
          if (prompts === 1) return [{ type: "tool_call", id: "c1", name: "add", input: { a: 2, b: 40 } }];
          return [
            {
              type: "permission_question",
              id: "q1",
              tool_name: "mcp__host__drop",
              input: { table: "users" },
              tool_use_id: "t",
              can_allow_always: false,
            },
          ];
        case "permission_answer":
          return [{ type: "tool_call", id: "c2", name: "drop", input: { table: "users" } }];
        case "tool_result":
          return message.id === "c1" ? end("one", "It is 42.") : end("two", "Dropped.");
        case "close":
          return [{ type: "closed", reason: "closed" }];
        default:
          return [];
      }
    };
    return change(message, answers());
  });
}

const brokenBridges: readonly (readonly [string, ReturnType<typeof toyBridge>, string])[] = [
  [
    "ends a turn twice",
    toyBridge((_, all) => all.flatMap((each) => (isType(each, "turn_end") ? [each, each] : [each]))),
    "turn_end",
  ],
  ["tells the end of a turn before its result", toyBridge((_, all) => all.toReversed()), "turn_end"],
  [
    "runs a tool that nobody permitted",
    toyBridge((_, all) =>
      isType(all[0], "permission_question") ? [{ type: "tool_call", id: "c2", name: "drop", input: {} }] : all,
    ),
    "tool_call",
  ],
  [
    "changes the id of a prompt",
    toyBridge((_, all) => all.map((each) => (isType(each, "turn_end") ? { ...each, id: "other" } : each))),
    "message.id",
  ],
  [
    "writes a message without what it needs",
    toyBridge((_, all) => all.map((each) => (isType(each, "opened") ? { type: "opened" } : each))),
    "form",
  ],
  [
    "writes a message that there is not",
    toyBridge((message, all) => (message.type === "open" ? [{ type: "log" }, ...all] : all)),
    "log",
  ],
  ["never answers", toyBridge((message, all) => (message.type === "send" ? [] : all)), "nothing came"],
];

function isType(message: unknown, type: string): boolean {
  return typeof message === "object" && message !== null && "type" in message && message.type === type;
}

describe("the kit finds a bridge out that", () => {
  test("does nothing wrong to be fine", async () => {
    const { failure } = await runConformance(
      scriptOf("bridge-two-turns"),
      toyBridge((_, all) => all),
    );
    expect(failure).toBeUndefined();
  });

  test.each(brokenBridges)("%s", async (_, connect, words) => {
    const { failure } = await runConformance(scriptOf("bridge-two-turns"), connect, { timeoutMs: 300 });
    expect(failure).toContain(words);
  });

  test("hands on a frame of the CLI", async () => {
    const lenient = toyBridge((message, all) => (all.length === 0 ? [{ type: "event", message }] : all));
    const script = scriptOf("bridge-lets-nothing-else-through");
    expect((await runConformance(script, lenient, { timeoutMs: 300 })).failure).toContain("unknown_type");
  });
});

/** The least of a host, with one thing that it does otherwise. */
function toyHost(change: (message: HostMessage) => readonly (HostMessage | object)[]) {
  let prompts = 0;
  const answer = (message: BridgeMessage): HostMessage | undefined => {
    switch (message.type) {
      case "hello":
        return { type: "open", tools: [{ name: "add", description: "Adds." }] };
      case "opened":
        return { type: "send", id: `p${++prompts}`, content: "Go." };
      case "tool_call":
        return { type: "tool_result", id: message.id, content: "42" };
      case "permission_question":
        return { type: "permission_answer", id: message.id, behavior: "deny" };
      case "turn_end":
        return prompts < 2 ? { type: "send", id: `p${++prompts}`, content: "Go." } : { type: "close" };
      default:
        return undefined;
    }
  };
  const changed = (message: HostMessage | undefined) => (message === undefined ? [] : change(message));
  return connectToy<BridgeMessage, HostMessage>(
    (message) => changed(answer(message)),
    changed({ type: "hello", protocols: [1] }),
  );
}

const brokenHosts: readonly (readonly [string, ReturnType<typeof toyHost>, string])[] = [
  ["says no hello", toyHost((message) => (message.type === "hello" ? [] : [message])), "nothing came"],
  [
    "speaks no version that there is",
    toyHost((message) => (message.type === "hello" ? [{ ...message, protocols: [2] }] : [message])),
    "message.protocols",
  ],
  [
    "answers under another id",
    toyHost((message) => (message.type === "tool_result" ? [{ ...message, id: "mine" }] : [message])),
    "message.id",
  ],
  [
    "answers twice",
    toyHost((message) => (message.type === "tool_result" ? [message, message] : [message])),
    "tool_result",
  ],
  [
    "permits in words of its own",
    toyHost((message) => (message.type === "permission_answer" ? [{ ...message, behavior: "yes" }] : [message])),
    "form",
  ],
  [
    "uses an id twice",
    toyHost((message) => (message.type === "send" ? [{ ...message, id: "p" }] : [message])),
    "used before",
  ],
  [
    "speaks to the CLI",
    toyHost((message) => (message.type === "send" ? [{ type: "bash_command", command: "ls" }] : [message])),
    "bash_command",
  ],
  ["leaves the session open", toyHost((message) => (message.type === "close" ? [] : [message])), "nothing came"],
];

describe("the kit finds a host out that", () => {
  test("does nothing wrong to be fine", async () => {
    const { failure } = await runConformance(
      scriptOf("host-two-turns"),
      toyHost((message) => [message]),
    );
    expect(failure).toBeUndefined();
  });

  test.each(brokenHosts)("%s", async (_, connect, words) => {
    const { failure } = await runConformance(scriptOf("host-two-turns"), connect, { timeoutMs: 300 });
    expect(failure).toContain(words);
  });
});
