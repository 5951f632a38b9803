// @ts-check
// Plain JavaScript, since the executable form runs it with bare Node from the sources; types are in interpreter.d.ts. It uses
// nothing of `node:` and no sibling package, so that one and the same code also runs in memory, in a browser.

import { fill, isEqual, memberAt } from "./template.js";

/**
 * @import { CliIo, CliRunExit } from "./interpreter.d.ts"
 * @import { CliEvent } from "./log.ts"
 * @import { CliStep } from "./script.ts"
 */

/**
 * Frames to be written many times go out in blocks of about this size. One write per frame would be the limit of a benchmark; above
 * 256 KiB the rate rises no more (4 million frames of 330 bytes a second on a socket pair, Node 20).
 */
const blockBytes = 262_144;

/** EX_SOFTWARE of sysexits.h: a code that no test asks for by chance. */
const failureExitCode = 70;

export class ScriptRun {
  /** @type {readonly CliStep[]} */
  #steps;
  /** @type {CliIo} */
  #io;
  #startedAt = performance.now();
  /** @type {Map<string, unknown>} Frames by the name under which a step kept them. */
  #kept = new Map();
  /** @type {object[]} Frames that no step has taken yet. */
  #unread = [];
  /** @type {string[] | undefined} Lines of a `noInput` step. */
  #collecting;
  #inputEnded = false;
  #outputEnded = false;
  #over = false;
  /** @type {(() => void) | undefined} Called when input came; set while a step waits. */
  #check;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(exit: CliRunExit) => void} */
  #stop = () => {};
  /** @type {Promise<CliRunExit>} */
  #stopped = new Promise((resolve) => {
    this.#stop = resolve;
  });

  /**
   * @param {readonly CliStep[]} steps
   * @param {CliIo} io
   */
  constructor(steps, io) {
    this.#steps = steps;
    this.#io = io;
  }

  /** @returns {Promise<CliRunExit>} */
  async run() {
    const exit = await Promise.race([this.#stopped, this.#runSteps()]);
    this.#record({ kind: "exit", ...exit });
    this.#over = true;
    clearTimeout(this.#timer);
    this.#check = undefined;
    return exit;
  }

  /** @param {string} line */
  pushLine(line) {
    if (this.#over) return;
    this.#record({ kind: "input", line });
    this.#collecting?.push(line);
    if (line.trim() === "") return;
    let frame;
    try {
      frame = JSON.parse(line);
    } catch {
      // What the real CLI does (2.1.328); one bad line of the host must not pass a test.
      const message = `Error parsing streaming input line (type=unknown, ${line.length} chars): SyntaxError\n`;
      void this.#io.writeError(message).then(() => this.stop({ code: 1, signal: null }));
      return;
    }
    if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return;
    this.#unread.push(frame);
    this.#check?.();
  }

  endInput() {
    this.#record({ kind: "input-end" });
    this.#inputEnded = true;
    this.#check?.();
  }

  /** @param {CliRunExit} exit */
  stop(exit) {
    this.#stop(exit);
  }

  /** @returns {Promise<CliRunExit>} */
  async #runSteps() {
    for (const [index, step] of this.#steps.entries()) {
      // After a stop the step that was waiting may still settle.
      if (this.#over) break;
      this.#record({ kind: "step", index, do: step.do });
      if (step.do === "exit")
        return { code: step.signal === undefined ? (step.code ?? 0) : null, signal: step.signal ?? null };
      try {
        await this.#perform(step);
      } catch (error) {
        const message = `step ${index} (${step.do}): ${error instanceof Error ? error.message : error}`;
        this.#record({ kind: "failure", message });
        await this.#io.writeError(`The scripted CLI cannot go on at ${message}\n`);
        return { code: failureExitCode, signal: null };
      }
    }
    return { code: 0, signal: null };
  }

  /** @param {Exclude<CliStep, { do: "exit" }>} step */
  async #perform(step) {
    switch (step.do) {
      case "init": {
        const request = await this.#take({ type: "control_request", "request.subtype": "initialize" });
        this.#kept.set("init", request);
        const response = {
          subtype: "success",
          request_id: memberAt(request, "request_id"),
          response: fill(step.response ?? {}, this.#kept),
        };
        return this.#write(toLine({ type: "control_response", response }));
      }
      case "read": {
        const frame = await this.#take(step.match);
        for (const [path, wanted] of this.#wanted(step.expect ?? {})) {
          const found = memberAt(frame, path);
          if (isEqual(found, wanted)) continue;
          throw new Error(`${path} of the frame that came is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
        }
        if (step.as !== undefined) this.#kept.set(step.as, frame);
        return undefined;
      }
      case "write":
        return this.#writeTimes(toLine(fill(step.frame, this.#kept)), step.$times ?? 1);
      case "text":
        return this.#writeTimes(String(fill(step.text, this.#kept)), step.$times ?? 1);
      case "file":
        return this.#writePieces(await this.#io.readFile(step.path), step.size ?? 0);
      case "chunked":
        return this.#writePieces(new TextEncoder().encode(toLine(fill(step.frame, this.#kept))), step.size);
      case "stderr": {
        const text = String(fill(step.text, this.#kept));
        for (let left = step.$times ?? 1; left > 0 && !this.#over; left--) await this.#io.writeError(text);
        return undefined;
      }
      case "wait":
        return this.#until(() => false, step.ms);
      case "trap":
        return this.#io.trap(step.signals, (signal) => {
          this.#record({ kind: "signal", signal });
          if (step.exitCode !== undefined) this.stop({ code: step.exitCode, signal: null });
        });
      case "readEnd":
        this.#io.resumeInput();
        return this.#until(() => this.#inputEnded, step.ms || undefined);
      case "noInput": {
        this.#io.resumeInput();
        /** @type {string[]} */
        const lines = [];
        this.#collecting = lines;
        await this.#until(() => false, step.ms);
        this.#collecting = undefined;
        return this.#record({ kind: "collected", lines });
      }
      case "pauseInput":
        return this.#io.pauseInput();
      case "orphan": {
        const pid = this.#io.orphan(step.ms);
        if (pid !== undefined) this.#record({ kind: "orphan", pid });
        return undefined;
      }
      case "endOutput":
        this.#outputEnded = true;
        return this.#io.endOutput();
      case "hang":
        return this.#until(() => false);
      default:
        throw new Error(`no such step: ${JSON.stringify(step)}`);
    }
  }

  /**
   * Takes the first frame that matches out of what came, or waits for it.
   *
   * @param {Readonly<Record<string, unknown>>} match
   * @returns {Promise<object>}
   */
  async #take(match) {
    const wanted = this.#wanted(match);
    this.#io.resumeInput();
    // Only this step takes frames, so those that were looked at need no second look.
    let at = 0;
    const isFound = () => {
      while (
        at < this.#unread.length &&
        !wanted.every(([path, value]) => isEqual(memberAt(this.#unread[at], path), value))
      )
        at++;
      return at < this.#unread.length;
    };
    await this.#until(() => isFound() || this.#inputEnded);
    const [frame] = this.#unread.splice(at, 1);
    if (frame === undefined)
      throw new Error(`the input ended before a frame with ${JSON.stringify(Object.fromEntries(wanted))} came`);
    return frame;
  }

  /**
   * Settles with true when the condition holds, with false when the time is over.
   *
   * @param {() => boolean} isDone Asked again whenever input came.
   * @param {number} [limitMs]
   * @returns {Promise<boolean>}
   */
  #until(isDone, limitMs) {
    if (isDone()) return Promise.resolve(true);
    return new Promise((resolve) => {
      /** @param {boolean} done */
      const settle = (done) => {
        clearTimeout(this.#timer);
        this.#check = undefined;
        resolve(done);
      };
      if (limitMs !== undefined) this.#timer = setTimeout(() => settle(false), limitMs);
      this.#check = () => {
        if (isDone()) settle(true);
      };
    });
  }

  /**
   * @param {string} text
   * @param {number} times
   */
  async #writeTimes(text, times) {
    const one = new TextEncoder().encode(text);
    const perBlock = Math.max(1, Math.min(times, Math.floor(blockBytes / Math.max(1, one.length))));
    const block = new Uint8Array(perBlock * one.length);
    for (let i = 0; i < perBlock; i++) block.set(one, i * one.length);
    for (let left = times; left > 0 && this.#canWrite(); left -= perBlock) {
      await this.#write(left >= perBlock ? block : block.subarray(0, left * one.length));
    }
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} size 0: one piece.
   */
  async #writePieces(bytes, size) {
    const step = size === 0 ? Math.max(1, bytes.length) : size;
    for (let at = 0; at < bytes.length && this.#canWrite(); at += step)
      await this.#write(bytes.subarray(at, at + step));
  }

  /** @param {string | Uint8Array} chunk */
  async #write(chunk) {
    if (!this.#canWrite()) return;
    try {
      await this.#io.write(chunk);
    } catch {
      // The host has gone. What the script does next must not depend on it: a child that ignores everything is a case of its own.
      this.#outputEnded = true;
      this.#record({ kind: "output-closed" });
    }
  }

  #canWrite() {
    return !this.#outputEnded && !this.#over;
  }

  /** @param {CliEvent extends infer E ? (E extends unknown ? Omit<E, "atMs"> : never) : never} event */
  #record(event) {
    if (this.#over) return;
    this.#io.record({ ...event, atMs: Math.round(performance.now() - this.#startedAt) });
  }

  /**
   * @param {Readonly<Record<string, unknown>>} match
   * @returns {[path: string, value: unknown][]}
   */
  #wanted(match) {
    return Object.entries(match).map(([path, value]) => [path, fill(value, this.#kept)]);
  }
}

/**
 * Like the CLI, and unlike `encodeFrame`, without escapes for U+2028 and U+2029: hosts must cope with them.
 *
 * @param {unknown} frame
 */
function toLine(frame) {
  return `${JSON.stringify(frame)}\n`;
}
