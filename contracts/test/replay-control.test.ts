import { type Answer, ControlClient, ControlError } from "@reins/control";
import type { FrameValue } from "@reins/streamjson";
import { type CaptureEntry, replayScript, scriptedCli } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { goldenFolder, readCaptures } from "../tools/capture-files.ts";
import { playedToTheEnd } from "./replay-end.ts";
import { answersIn, entriesOf, expectedAnswers, memberOf, messagesOf, withoutHostIds } from "./replay-entries.ts";

const captures = await readCaptures(goldenFolder);

describe("a capture, replayed through a ControlClient", () => {
  test.each(captures.map((capture) => [capture.name, capture] as const))(
    "gives the same messages: %s",
    async (_, capture) => {
      const entries = entriesOf(capture);
      const { code, signal } = capture.facts.exit;
      const exit = { ...(code !== null && { code }), ...(signal !== null && { signal }) };
      const waitsForEnd = capture.facts.exitsByItself !== true;
      await using cli = scriptedCli(replayScript(entries, { exit, waitsForEnd }));
      await using client = new ControlClient(cli.transport, { runCeilingMs: 0 });
      const host = new RecordedHost(client, entries);

      await host.play();
      await playedToTheEnd(cli);
      await cli.transport.endInput();
      await host.read;

      const log = await cli.log();
      expect(log.failure).toBeUndefined();
      expect(host.messages).toEqual(messagesOf(entries));
      expect(await host.responses()).toEqual(responsesOf(entries));
      expect(answersIn(log.frames)).toEqual(expectedAnswers(entries));
      expect(host.failed).toBe(code !== 0);
    },
  );
});

/** Does what the host of a recording did, each step when as many messages have come as had come then. */
class RecordedHost {
  readonly messages: FrameValue[] = [];
  /** Settles when the session is over. */
  readonly read: Promise<void>;
  /** Whether the session ended with an error. */
  failed = false;
  readonly #client: ControlClient;
  readonly #entries: readonly CaptureEntry[];
  readonly #responses: Promise<unknown>[] = [];
  /** What takes back a request of the host, by its recorded id. */
  readonly #cancels = new Map<unknown, AbortController>();
  /** What lets go of the answer to a request of the CLI, by its id. */
  readonly #answers = new Map<
    unknown,
    { readonly promise: Promise<Answer>; readonly give: (answer: Answer) => void }
  >();
  #wake: (() => void) | undefined;

  constructor(client: ControlClient, entries: readonly CaptureEntry[]) {
    this.#client = client;
    this.#entries = entries;
    for (const { dir, frame } of entries) {
      if (dir !== "in" || frame.type !== "control_request") continue;
      let give = (_: Answer): void => {};
      const promise = new Promise<Answer>((resolve) => {
        give = resolve;
      });
      this.#answers.set(frame["request_id"], { promise, give });
      client.onRequest(String(memberOf(frame, "request")["subtype"]), {
        handle: (_request, { requestId }) => this.#answers.get(requestId)?.promise ?? { kind: "none" },
      });
    }
    this.read = this.#read();
  }

  async play(): Promise<void> {
    let before = 0;
    for (const [index, { dir, frame }] of this.#entries.entries()) {
      if (dir === "in") {
        before = messagesOf(this.#entries.slice(0, index + 1)).length;
        continue;
      }
      while (this.messages.length < before && !this.failed) await this.#change();
      await this.#do(frame);
    }
  }

  /** What the CLI answered to the requests of the host, in order. */
  responses(): Promise<unknown[]> {
    return Promise.all(this.#responses);
  }

  async #do(frame: FrameValue): Promise<void> {
    if (frame.type === "control_request") {
      const { subtype, ...fields } = memberOf(frame, "request");
      if (subtype === undefined) return this.#client.send(frame);
      const cancel = new AbortController();
      this.#cancels.set(frame["request_id"], cancel);
      const response = this.#client.request(String(subtype), fields, { signal: cancel.signal, timeoutMs: 20_000 });
      this.#responses.push(
        response.catch((error: unknown) => (error instanceof ControlError ? error.message : "none")),
      );
    } else if (frame.type === "control_response") {
      const { request_id, subtype, response, error } = memberOf(frame, "response");
      const answer = this.#answers.get(request_id);
      if (subtype === "error") answer?.give({ kind: "error", error: String(error) });
      // What was recorded is an object, or nothing.
      else answer?.give({ kind: "success", response: response as Record<string, unknown> | undefined });
    } else if (frame.type === "control_cancel_request") {
      this.#cancels.get(frame["request_id"])?.abort();
    } else {
      await this.#client.send(frame);
    }
  }

  async #read(): Promise<void> {
    try {
      for await (const frame of this.#client.messages) {
        this.messages.push(withoutHostIds(frame.value));
        this.#wake?.();
      }
    } catch {
      this.failed = true;
    }
    this.#wake?.();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** What the CLI answered to the requests of the host, in the order of the requests: the payload, or the text of the error. */
function responsesOf(entries: readonly CaptureEntry[]): unknown[] {
  const requests = entries.filter(({ dir, frame }) => dir === "out" && frame.type === "control_request");
  const cancelled = entries.filter(({ dir, frame }) => dir === "out" && frame.type === "control_cancel_request");
  return requests
    .filter(({ frame }) => memberOf(frame, "request")["subtype"] !== undefined)
    .map(({ frame }) => {
      const id = frame["request_id"];
      const found = entries
        .filter((entry) => entry.dir === "in" && entry.frame.type === "control_response")
        .map((entry) => memberOf(entry.frame, "response"))
        .find((response) => response["request_id"] === id);
      if (found === undefined || cancelled.some((entry) => entry.frame["request_id"] === id)) return "none";
      return found["subtype"] === "error" ? found["error"] : (found["response"] ?? {});
    });
}
