import type { HookCallback, Hooks, JsonRpcMessage } from "@reins/control";
import type { HookOutput } from "@reins/messages";
import { type InProcessServerConfig, type Options, type Query, query, type UserPrompt } from "@reins/sdk";
import type { FrameValue } from "@reins/streamjson";
import { type CaptureEntry, replayScript, scriptedCli } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { goldenFolder, readCaptures } from "../tools/capture-files.ts";
import { playedToTheEnd } from "./replay-end.ts";
import { entriesOf, memberOf, messagesOf, withoutHostIds } from "./replay-entries.ts";

const captures = await readCaptures(goldenFolder);

/** Captures of hosts that do what a query never does, with the reason. */
const notOfAQuery: Readonly<Record<string, string>> = {
  ...because("it does not begin with initialize, as a query does", [
    "await-initialize-too-late",
    "control-getters",
    "session-initialize-late",
    "session-one-shot",
    "start-bad-config",
    "task-one-shot-background-agent",
  ]),
  ...because("a query does not pass on that a callback failed or gave nonsense, it denies", [
    "elicitation-form",
    "hook-error-answer",
    "hook-error-blocks",
    "mcp-sdk-errors",
    "permission-error-answer",
    "permission-malformed-answer",
  ]),
  ...because("it sends what is neither a prompt nor a request", [
    "line-bash-command",
    "line-unknown-type",
    "line-wrong-role",
  ]),
  ...because("a query does not take back a request", ["control-side-question"]),
  ...because("a query makes no requests that it knows to be wrong", ["control-refused", "line-missing-request"]),
};

function because(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

describe("a capture, replayed through a query", () => {
  const replayed = captures.filter(({ name }) => !(name in notOfAQuery));
  test.each(replayed.map((capture) => [capture.name, capture] as const))(
    "gives the same messages: %s",
    async (_, capture) => {
      const entries = entriesOf(capture);
      const { code, signal } = capture.facts.exit;
      const exit = { ...(code !== null && { code }), ...(signal !== null && { signal }) };
      const waitsForEnd = capture.facts.exitsByItself !== true;
      await using cli = scriptedCli(replayScript(entries, { exit, waitsForEnd }));
      const host = new RecordedUser(entries);
      await using session = query({ prompt: host.prompts(), options: { ...host.options(), transport: cli.transport } });
      host.lead(session);

      const reading = host.read(session);
      // A CLI that gave up at once is never prompted.
      await Promise.race([host.prompted, reading]);
      await playedToTheEnd(cli);
      host.leave();
      await reading;

      expect((await cli.log()).failure).toBeUndefined();
      expect(host.messages).toEqual(messagesOf(entries));
      expect(host.failed).toBe(code !== 0);
    },
  );

  test("leaves out only captures that there are", () => {
    const names = captures.map(({ name }) => name);

    expect(Object.keys(notOfAQuery).filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** The user of a query: prompts and requests when as many messages have come as had come in the recording, and the recorded answers. */
class RecordedUser {
  readonly messages: FrameValue[] = [];
  /** Settles when everything was sent. */
  readonly prompted: Promise<void>;
  failed = false;
  leave: () => void = () => {};
  readonly #entries: readonly CaptureEntry[];
  readonly #left: Promise<void>;
  #session: Query | undefined;
  #setPrompted: () => void = () => {};
  #wake: (() => void) | undefined;

  constructor(entries: readonly CaptureEntry[]) {
    this.#entries = entries;
    this.#left = new Promise((resolve) => {
      this.leave = resolve;
    });
    this.prompted = new Promise((resolve) => {
      this.#setPrompted = resolve;
    });
  }

  lead(session: Query): void {
    this.#session = session;
  }

  async *prompts(): AsyncGenerator<UserPrompt> {
    let before = 0;
    for (const [index, { dir, frame }] of this.#entries.entries()) {
      if (dir === "in") {
        before = messagesOf(this.#entries.slice(0, index + 1)).length;
        continue;
      }
      while (this.messages.length < before && !this.failed) await this.#change();
      const { subtype, ...fields } = memberOf(frame, "request");
      if (frame.type === "control_request" && subtype === "initialize") {
        if (index > 0) this.#session?.reinitialize().catch(() => {});
      } else if (frame.type === "control_request") {
        // What it answers is compared in the replay through the client.
        this.#session?.request(String(subtype), fields).catch(() => {});
      } else if (frame.type === "user") {
        // Some of the recorded ones are no good prompts; the CLI is to see them all.
        yield frame as unknown as UserPrompt;
      }
    }
    this.#setPrompted();
    // The end of the prompts would end the input.
    await this.#left;
  }

  options(): Options {
    const initialize = this.#entries.map(({ frame }) => memberOf(frame, "request")).find(isInitialize) ?? {};
    const servers = initialize["sdkMcpServers"];
    return {
      canUseTool: async (_name, _input, { requestId }) => this.#answerTo(requestId),
      onElicitation: async (_question, { requestId }) => this.#answerTo(requestId),
      hooks: this.#hooks(initialize["hooks"]),
      mcpServers: Object.fromEntries((Array.isArray(servers) ? servers : []).map((name) => [name, this.#server(name)])),
    };
  }

  async read(session: Query): Promise<void> {
    try {
      for await (const message of session) {
        this.messages.push(withoutHostIds(message as unknown as FrameValue));
        this.#wake?.();
      }
    } catch {
      this.failed = true;
    }
    this.#wake?.();
  }

  /** Callbacks with the recorded answers, one after the other. */
  #hooks(recorded: unknown): Hooks {
    const asked = this.#requests("hook_callback");
    const entries = Object.entries(Object(recorded)).map(([event, matchers]) => [
      event,
      (matchers as Record<string, unknown>[]).map(({ hookCallbackIds, ...matcher }) => ({
        ...matcher,
        hooks: (hookCallbackIds as string[]).map(
          (): HookCallback => async (input) => {
            const at = asked.findIndex(({ request }) => isEqual(request["input"], input));
            return this.#answerTo<HookOutput>(asked.splice(at, 1)[0]?.id);
          },
        ),
      })),
    ]);
    return Object.fromEntries(entries);
  }

  #server(name: string): InProcessServerConfig {
    const asked = this.#requests("mcp_message").filter(({ request }) => request["server_name"] === name);
    return {
      type: "sdk",
      name,
      connect: () => ({
        handle: async (message) => {
          // A query also asks its servers itself, for their manifest, so the same question may come twice.
          const isSame = (other: JsonRpcMessage): boolean =>
            other.method === message.method &&
            (message.method !== "tools/call" || isEqual(other.params, message.params));
          const found = asked.find(({ request }) => isSame(Object(request["message"])));
          if (message.method === undefined || message.id === undefined) return undefined;
          const { mcp_response } = await this.#answerTo<Record<string, unknown>>(found?.id);
          return { ...Object(mcp_response), id: message.id };
        },
        close: () => {},
      }),
    };
  }

  #requests(subtype: string): { id: unknown; request: Readonly<Record<string, unknown>> }[] {
    return this.#entries
      .filter(({ dir, frame }) => dir === "in" && frame.type === "control_request")
      .map(({ frame }) => ({ id: frame["request_id"], request: memberOf(frame, "request") }))
      .filter(({ request }) => request["subtype"] === subtype);
  }

  /**
   * The recorded answer to a request of the CLI; for ever none where there was none. Of whatever type the callback has to give: it was
   * an answer to just that request.
   */
  #answerTo<Answer>(id: unknown): Promise<Answer> {
    const answers = this.#entries
      .filter(({ dir, frame }) => dir === "out" && frame.type === "control_response")
      .map(({ frame }) => memberOf(frame, "response"));
    const found = answers.find((response) => response["request_id"] === id);
    if (found === undefined) return new Promise(() => {});
    if (found["subtype"] === "error") return Promise.reject(new Error(String(found["error"])));
    return Promise.resolve(Object(found["response"]));
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isInitialize(request: Readonly<Record<string, unknown>>): boolean {
  return request["subtype"] === "initialize";
}
