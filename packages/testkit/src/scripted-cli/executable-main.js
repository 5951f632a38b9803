// @ts-check
// The program that `scriptedCliExecutable` lets hosts spawn. Plain JavaScript for the same reason as the interpreter.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ScriptRun } from "./interpreter.js";

/**
 * @import { CliIo, CliRunExit } from "./interpreter.d.ts"
 * @import { CliEvent } from "./log.ts"
 * @import { CliStep } from "./script.ts"
 */

/** How often a process looks whether its test is over, which is when its folder has gone. */
const lookMs = 100;

/** A bound for what nobody stops, such as the child of a test that was itself killed. */
const longestLifeMs = 600_000;

/** The program of an `orphan` step: holds what it inherited. */
const orphanProgram = `
  const [folder, ms] = process.argv.slice(1);
  setTimeout(() => process.exit(), Number(ms));
  setInterval(() => require("node:fs").existsSync(folder) || process.exit(), ${lookMs});
`;

/**
 * Follows the script of a folder on the standard streams of this process.
 *
 * @param {string} folder Holds `script.json`, the files of the script, and `runs/` with one log per process.
 */
export function main(folder) {
  const startedAt = performance.timeOrigin;
  const log = openSync(join(folder, "runs", `${process.hrtime.bigint()}-${process.pid}.ndjson`), "ax");
  /** @param {object} entry Written at once, so that nothing is missing when a signal kills the process. */
  const append = (entry) => writeSync(log, `${JSON.stringify(entry)}\n`);
  append({ startedAt, pid: process.pid, argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });

  /** @type {{ steps: CliStep[], files: Record<string, string> }} */
  const { steps, files } = JSON.parse(readFileSync(join(folder, "script.json"), "utf8"));
  /** @type {CliIo} */
  const io = {
    write: (chunk) => writeTo(process.stdout, chunk),
    writeError: (text) => writeTo(process.stderr, text).catch(() => {}),
    endOutput: () => {
      // Node closes no standard stream. /dev/null takes the free number, lest another file becomes the standard output.
      closeSync(1);
      openSync("/dev/null", "w");
    },
    readFile: (path) => {
      const name = files[path];
      if (name === undefined)
        throw new Error(`the file ${JSON.stringify(path)} was not handed over in the option "files"`);
      return readFile(join(folder, name));
    },
    pauseInput: () => void process.stdin.pause(),
    resumeInput: () => void process.stdin.resume(),
    trap: (signals, onSignal) => {
      for (const signal of signals) process.on(signal, () => onSignal(signal));
    },
    orphan: (ms) => {
      const child = spawn(process.execPath, ["-e", orphanProgram, folder, String(ms)], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      child.unref();
      return child.pid;
    },
    record: (event) => void append(event),
  };
  const run = new ScriptRun(steps, io);
  const life = setInterval(() => {
    if (!existsSync(folder) || performance.now() > longestLifeMs) process.exit(1);
  }, lookMs);
  // The writes fail too, and tell the script; without listeners the process would end.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  feed(run);
  void run.run().then((exit) => end(exit, life));
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {string | Uint8Array} chunk
 * @returns {Promise<void>}
 */
function writeTo(stream, chunk) {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Cuts the standard input into lines.
 *
 * @param {ScriptRun} run
 */
function feed(run) {
  const decoder = new TextDecoder();
  /** @type {string[]} Pieces of the line that has no newline yet. */
  let pieces = [];
  /** @param {string} text */
  const push = (text) => {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      run.pushLine(pieces.join("") + line);
      pieces = [];
    }
    if (last !== "") pieces.push(last);
  };
  const finish = () => {
    push(decoder.decode());
    if (pieces.length > 0) run.pushLine(pieces.join(""));
    run.endInput();
  };
  process.stdin.on("data", (chunk) => push(decoder.decode(chunk, { stream: true })));
  process.stdin.once("end", finish);
  process.stdin.once("error", finish);
}

/**
 * @param {CliRunExit} exit
 * @param {ReturnType<typeof setInterval>} life
 */
function end({ code, signal }, life) {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal that ends no process, such as SIGCHLD, would leave it here for long.
  setTimeout(() => process.exit(1), 1000);
  clearInterval(life);
}
