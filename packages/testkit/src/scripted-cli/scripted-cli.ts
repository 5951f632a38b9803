import type { Transport } from "@reins/streamjson";
import { type CliEnd, type TransportPairOptions, transportPair } from "../transport-pair.ts";
import { type CliIo, ScriptRun } from "./interpreter.js";
import { type CliEvent, type CliLog, toCliLog } from "./log.ts";
import { CliScriptError, parseCliScript } from "./parse-script.ts";
import type { CliScript } from "./script.ts";

/** Options of {@link scriptedCli}. */
export interface ScriptedCliOptions extends TransportPairOptions {
  /** What the `file` steps write, by their `path`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A scripted CLI in memory. */
export interface ScriptedCli extends AsyncDisposable {
  /** What the host under test gets. */
  readonly transport: Transport;

  /** What the CLI saw and did up to now. */
  log(): Promise<CliLog>;

  /** Closes the transport: the CLI may finish what it can at the end of its input, then it is killed. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the CLI in memory that follows a script, so that the host side runs with no binary and no process. It needs
 * no `node:`, so it also runs in browsers. For the same script as a program to be spawned, see `scriptedCliExecutable`.
 *
 * A script that cannot be followed (the host ends the input early, an `expect` that is not met) ends with exit code 70; its standard
 * error and {@link CliLog.failure} say why. A line of the host that is no JSON ends it with exit code 1, as it does the CLI.
 *
 * @throws CliScriptError when the script is none.
 * @example
 * await using cli = scriptedCli({
 *   steps: [
 *     { do: "init" },
 *     { do: "read", match: { type: "user" }, as: "prompt" },
 *     { do: "write", frame: { type: "result", subtype: "success", result: "You said: {{prompt.message.content}}" } },
 *     { do: "readEnd" },
 *   ],
 * });
 * await cli.transport.send({ type: "control_request", request_id: "1", request: { subtype: "initialize" } });
 */
export function scriptedCli(script: CliScript, options: ScriptedCliOptions = {}): ScriptedCli {
  const { steps } = parseCliScript(script);
  const { host, cli } = transportPair(options);
  const events: CliEvent[] = [];
  const gate = new Gate();
  const io: CliIo = {
    write: (chunk) => cli.write(chunk),
    writeError: async (text) => cli.writeError(text),
    endOutput: () => cli.endOutput(),
    readFile: async (path) => {
      const file = options.files?.[path];
      if (file === undefined)
        throw new CliScriptError(`The file ${JSON.stringify(path)} was not handed over in the option "files".`);
      return typeof file === "string" ? new TextEncoder().encode(file) : file;
    },
    pauseInput: () => gate.shut(),
    resumeInput: () => gate.open(),
    trap: () => {},
    orphan: () => undefined,
    // A process that was killed logs nothing any more.
    record: (event) => void (cli.killed.aborted || events.push(event)),
  };
  const run = new ScriptRun(steps, io);
  cli.killed.addEventListener("abort", () => run.stop({ code: null, signal: "SIGKILL" }), { once: true });
  void feed(run, cli, gate);
  void run.run().then(({ code, signal }) => cli.exit(signal === null ? { code: code ?? 0 } : { signal }));
  return {
    transport: host,
    log: async () => toCliLog({ pid: 0, argv: [], env: {}, cwd: "" }, [...events]),
    close: () => host.close(),
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** Hands the input to the run, a frame at a time. Neither side of it rejects. */
async function feed(run: ScriptRun, cli: CliEnd, gate: Gate): Promise<void> {
  for (;;) {
    await gate.passable;
    const frame = await cli.read();
    if (frame === undefined) break;
    run.pushLine(frame.text);
  }
  run.endInput();
}

/** Lets the reader wait while the input is paused. */
class Gate {
  passable: Promise<void> = Promise.resolve();
  #open: (() => void) | undefined;

  shut(): void {
    if (this.#open !== undefined) return;
    this.passable = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open?.();
    this.#open = undefined;
  }
}
