import { type ChunkSource, decodeFrames, type Frame, type FrameValue } from "@reins/streamjson";
import type { z } from "zod";
import { bridgeMessageSchemas, hostMessageSchemas } from "../schemas.ts";
import { fillIn, mismatch, type Saved } from "./match-pattern.ts";
import type { ConformanceScript, ConformanceStep } from "./script.ts";

/** The side under test. */
export interface ConformancePeer {
  /** Writes to it: whole lines, with their ends. */
  write(lines: string): void;
  /** Ends what is written to it. */
  end(): void;
  /** Gives its lines. */
  readonly output: ChunkSource;
  /** Stops it, and what was started for it. */
  close(): Promise<void>;
}

/** How a script went. */
export interface ConformanceReport {
  readonly script: string;
  /** What is wrong, with the number of the step, counted from 1; `undefined` when nothing is. */
  readonly failure: string | undefined;
  /** What was said, in order, up to there. */
  readonly log: readonly { readonly from: "kit" | "peer"; readonly line: string }[];
}

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  /** How long the other side may take for one step, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

/**
 * Plays one script with a bridge or a host, and says whether it keeps to the protocol. Independent of any test runner.
 *
 * Each line of the other side has to be a message of the protocol, whatever the script expects; a host may not use the id of a prompt twice.
 *
 * @param connect Starts the side under test. For a bridge the model behind it has to say what `script.model` holds.
 * @throws What `connect` throws. All else is in the report.
 * @example
 * for (const script of conformanceScripts.filter(({ plays }) => plays === "host")) {
 *   const { failure } = await runConformance(script, startMyBridge);
 *   if (failure !== undefined) throw new Error(failure);
 * }
 */
export async function runConformance(
  script: ConformanceScript,
  connect: (script: ConformanceScript) => Promise<ConformancePeer>,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const peer = await connect(script);
  const player = new Player(script, peer, options.timeoutMs ?? 30_000);
  try {
    const failure = await player.play();
    return { script: script.name, failure, log: player.log };
  } finally {
    await peer.close();
  }
}

class Player {
  readonly log: { readonly from: "kit" | "peer"; readonly line: string }[] = [];
  readonly #script: ConformanceScript;
  readonly #peer: ConformancePeer;
  readonly #frames: AsyncIterator<Frame>;
  readonly #timeoutMs: number;
  readonly #saved: Saved = new Map();
  readonly #promptIds = new Set<unknown>();
  /** Of a read whose time was over: its frame must not be lost. */
  #reading: Promise<IteratorResult<Frame>> | undefined;

  constructor(script: ConformanceScript, peer: ConformancePeer, timeoutMs: number) {
    this.#script = script;
    this.#peer = peer;
    this.#frames = decodeFrames(peer.output, { onMalformed: "deliver" })[Symbol.asyncIterator]();
    this.#timeoutMs = timeoutMs;
  }

  async play(): Promise<string | undefined> {
    for (const [i, step] of this.#script.steps.entries()) {
      try {
        await this.#take(step);
      } catch (error) {
        return `Step ${i + 1}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    return undefined;
  }

  async #take(step: ConformanceStep): Promise<void> {
    if ("write" in step) this.#write(JSON.stringify(fillIn(step.write, this.#saved)));
    else if ("writeText" in step) this.#write(step.writeText);
    else if ("expect" in step) await this.#expect([step.expect]);
    else if ("expectAll" in step) await this.#expect(step.expectAll);
    else if ("end" in step) this.#peer.end();
    else await this.#expectEnd();
  }

  #write(line: string): void {
    this.log.push({ from: "kit", line });
    this.#peer.write(`${line}
`);
  }

  async #expect(patterns: readonly unknown[]): Promise<void> {
    const left = [...patterns];
    while (left.length > 0) {
      const wanted = left.map((pattern) => JSON.stringify(pattern)).join(" and ");
      const message = await this.#next(wanted);
      if (message === undefined) throw new Error(`it ended before ${wanted}`);
      const problems = left.map((pattern) => mismatch(pattern, message, this.#saved));
      const fitting = problems.indexOf(undefined);
      if (fitting !== -1) left.splice(fitting, 1);
      else if (message["type"] !== "event") throw new Error(`${problems.join("; ")}, in ${JSON.stringify(message)}`);
    }
  }

  async #expectEnd(): Promise<void> {
    for (let message = await this.#next("its end"); message !== undefined; message = await this.#next("its end")) {
      if (message["type"] !== "event") throw new Error(`it went on: ${JSON.stringify(message)}`);
    }
  }

  /** The next message, checked; `undefined` at the end. */
  async #next(what: string): Promise<FrameValue | undefined> {
    this.#reading ??= this.#frames.next();
    const { done, value: frame } = await this.#bounded(this.#reading, what);
    this.#reading = undefined;
    if (done) return undefined;
    this.log.push({ from: "peer", line: frame.text });
    if (frame.error !== undefined) throw new Error(`it wrote a line that is no JSON object: ${frame.text}`);
    this.#check(frame.value);
    return frame.value;
  }

  #check(message: FrameValue): void {
    const schemas: Readonly<Record<string, z.ZodType>> =
      this.#script.plays === "host" ? bridgeMessageSchemas : hostMessageSchemas;
    const type = String(message.type);
    const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    if (schema === undefined) throw new Error(`there is no message of the type ${JSON.stringify(message.type)}`);
    const { error } = schema.safeParse(message);
    if (error)
      throw new Error(`its ${type} has not the form of one: ${error.issues[0]?.message}, ${JSON.stringify(message)}`);
    if (this.#script.plays !== "bridge" || type !== "send") return;
    if (this.#promptIds.has(message["id"])) throw new Error(`the id of a prompt was used before: ${message["id"]}`);
    this.#promptIds.add(message["id"]);
  }

  async #bounded<T>(promise: Promise<T>, what: string): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const late = new Error(`nothing came within ${this.#timeoutMs} ms; it waited for ${what}`);
      timer = setTimeout(() => reject(late), this.#timeoutMs);
    });
    try {
      return await Promise.race([promise, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
