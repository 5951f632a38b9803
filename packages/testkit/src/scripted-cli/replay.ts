import { FrameDecoder, type FrameValue } from "@reins/streamjson";
import { CliScriptError } from "./parse-script.ts";
import type { CliScript, CliStep, FrameMatch, FrameTemplate } from "./script.ts";

/** One frame of a recorded conversation: `"out"` went from the host to the CLI, `"in"` came from the CLI. */
export interface CaptureEntry {
  readonly dir: "in" | "out";
  readonly frame: FrameValue;
}

/** Options of {@link replayScript}. */
export interface ReplayOptions {
  /** How the CLI ends behind the last frame. Default code 0. */
  readonly exit?: { readonly code?: number; readonly signal?: string };
  /** What the CLI prints to its standard error before it ends. Default nothing. */
  readonly stderr?: string;
  /** Whether the CLI waits for the end of its input before it ends. Default true; false for one that gave up by itself. */
  readonly waitsForEnd?: boolean;
}

/**
 * Makes a script of a recorded conversation, so that a host can be run against what the real CLI once said.
 *
 * The script waits for each frame that the host sent, by kind: its `type`, for requests also their `subtype`, for answers the request
 * that they answer. What differs from run to run is not compared, and frames may come earlier than they were recorded. Then it
 * writes the frames of the CLI as they are, but with the ids that this host uses: of its requests, its hook callbacks, and its
 * messages. An answer must have succeeded or failed as recorded, with the same `behavior` where there was one; else the script
 * fails and says so. Answers and cancels that nothing was open for are not waited for, since a host need not send them.
 *
 * @param capture Lines `{"dir":"out"|"in","frame":{...}}`, or the same parsed.
 * @throws {@link CliScriptError} when an entry is of another form, such as a raw line, which no transport can send.
 * @example
 * const cli = scriptedCli(replayScript(await readFile("permission-allow.ndjson", "utf8")));
 */
export function replayScript(capture: string | Iterable<CaptureEntry>, options: ReplayOptions = {}): CliScript {
  const replay = new Replay();
  const entries = typeof capture === "string" ? entriesOf(capture) : capture;
  for (const entry of entries) {
    if (entry.dir === "out") replay.hostSent(entry.frame);
    else replay.cliSent(entry.frame);
  }
  const steps = replay.steps;
  if (options.waitsForEnd ?? true) steps.push({ do: "readEnd" });
  if (options.stderr !== undefined) steps.push({ do: "stderr", text: options.stderr });
  steps.push({ do: "exit", ...options.exit });
  return { steps };
}

function* entriesOf(capture: string): Generator<CaptureEntry, undefined> {
  const decoder = new FrameDecoder();
  for (const line of [...decoder.push(capture), ...decoder.end()]) {
    const { dir, frame } = line.value;
    if ((dir !== "in" && dir !== "out") || !isObject(frame)) {
      throw new CliScriptError(`Line ${line.lineNumber} of the capture has no "frame", or no "dir" of "in" or "out".`);
    }
    yield { dir, frame };
  }
}

class Replay {
  readonly steps: CliStep[] = [];
  /** Name of the step that takes a request of the host, by its recorded id, while the CLI has not answered it. */
  readonly #hostRequests = new Map<unknown, string>();
  /** Recorded ids of the CLI's requests that the host has not answered and the CLI not withdrawn. */
  readonly #cliRequests = new Set<unknown>();
  /** What stands for a recorded value: for the `uuid` of a message and for the id of a hook callback. */
  readonly #messageIds = new Map<string, string>();
  readonly #callbackIds = new Map<string, string>();
  #reads = 0;

  hostSent(frame: FrameValue): void {
    if (frame.type === "control_request") this.#hostRequested(frame);
    else if (frame.type === "control_response") this.#hostAnswered(frame);
    else if (frame.type === "control_cancel_request") this.#hostCancelled(frame);
    else this.#hostSaid(frame);
  }

  cliSent(frame: FrameValue): void {
    if (frame.type === "control_request") this.#cliRequests.add(frame["request_id"]);
    if (frame.type === "control_cancel_request") this.#cliRequests.delete(frame["request_id"]);
    this.steps.push({ do: "write", frame: this.#rewriteObject(frame) });
    if (frame.type === "control_response") this.#hostRequests.delete(memberOf(frame["response"], "request_id"));
  }

  #hostRequested(frame: FrameValue): void {
    const request = frame["request"];
    const subtype = memberOf(request, "subtype");
    const name = this.#read({ type: frame.type, ...(subtype === undefined ? {} : { "request.subtype": subtype }) });
    this.#hostRequests.set(frame["request_id"], name);
    for (const [event, matchers] of entriesOfObject(memberOf(request, "hooks"))) {
      for (const [at, matcher] of entriesOfObject(matchers)) {
        for (const [index, id] of entriesOfObject(memberOf(matcher, "hookCallbackIds"))) {
          this.#callbackIds.set(String(id), `{{${name}.request.hooks.${event}.${at}.hookCallbackIds.${index}}}`);
        }
      }
    }
  }

  #hostAnswered(frame: FrameValue): void {
    const response = frame["response"];
    const id = memberOf(response, "request_id");
    if (!this.#cliRequests.delete(id)) return;
    const behavior = memberOf(memberOf(response, "response"), "behavior");
    this.#read(
      { type: frame.type, "response.request_id": literal(id) },
      {
        "response.subtype": memberOf(response, "subtype"),
        ...(typeof behavior === "string" ? { "response.response.behavior": behavior } : {}),
      },
    );
  }

  #hostCancelled(frame: FrameValue): void {
    const name = this.#hostRequests.get(frame["request_id"]);
    if (name !== undefined) this.#read({ type: frame.type, request_id: `{{${name}.request_id}}` });
  }

  #hostSaid(frame: FrameValue): void {
    const name = this.#read({ type: frame.type });
    const uuid = frame["uuid"];
    // A host need not name its messages; the CLI then says what it said in the recording.
    if (typeof uuid === "string") this.#messageIds.set(uuid, `{{${name}.uuid|${uuid}}}`);
  }

  #read(match: FrameMatch, expect?: FrameMatch): string {
    const name = `host_${++this.#reads}`;
    this.steps.push({ do: "read", match, as: name, ...(expect === undefined ? {} : { expect }) });
    return name;
  }

  #rewriteObject(value: object): FrameTemplate {
    if ("$literal" in value || "$repeat" in value) return { $literal: value };
    // The CLI's own requests have ids of its own, which only look alike.
    const isRequest = "type" in value && (value.type === "control_request" || value.type === "control_cancel_request");
    const members = Object.entries(value).map(([key, item]): [string, unknown] => {
      const name = key === "request_id" && !isRequest ? this.#hostRequests.get(item) : undefined;
      if (name !== undefined) return [key, `{{${name}.request_id}}`];
      const callback = key === "callback_id" ? this.#callbackIds.get(String(item)) : undefined;
      return [key, callback ?? this.#rewrite(item)];
    });
    return Object.fromEntries(members);
  }

  #rewrite(value: unknown): unknown {
    if (typeof value === "string") return this.#messageIds.get(value) ?? literal(value);
    if (Array.isArray(value)) return value.map((item) => this.#rewrite(item));
    return isObject(value) ? this.#rewriteObject(value) : value;
  }
}

/** Keeps text that only looks like a placeholder. */
function literal(value: unknown): unknown {
  return typeof value === "string" && value.includes("{{") ? { $literal: value } : value;
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** The entries of an object or array; none for anything else. */
function entriesOfObject(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
