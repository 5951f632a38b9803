import { spawn } from "node:child_process";
import { once } from "node:events";
import { decodeFrames, encodeFrame, type FrameValue } from "@reins/streamjson";
import { findTestBinary, type Sandbox } from "../src/index.ts";

/** What one process of the real CLI said. */
export interface CliRun {
  readonly frames: readonly FrameValue[];
  readonly results: readonly FrameValue[];
  readonly exitCode: number | null;
  readonly stderr: string;
}

export interface CliRunOptions {
  /** One turn each; the next is sent when the result of the one before was read. */
  readonly prompts: readonly string[];
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each frame before the next is read. `send` writes a frame. */
  readonly onFrame?: (frame: FrameValue, send: (frame: FrameValue) => void) => void;
}

/** Drives the real CLI over stream-json until it exits. It is killed when it takes more than 30 s. */
export async function runCli(sandbox: Sandbox, options: CliRunOptions): Promise<CliRun> {
  const argv = ["--output-format=stream-json", "--verbose", "--input-format=stream-json", ...(options.argv ?? [])];
  const child = spawn(findTestBinary(), argv, sandbox.spawnOptions(options.env));
  const send = (frame: FrameValue): void => void child.stdin.write(encodeFrame(frame));
  const exit = once(child, "close");
  const guard = setTimeout(() => child.kill("SIGKILL"), 30_000);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });

  const prompts = [...options.prompts];
  const sendNext = (): void => {
    const content = prompts.shift();
    if (content === undefined) child.stdin.end();
    else send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null });
  };
  sendNext();
  const frames: FrameValue[] = [];
  try {
    for await (const { value } of decodeFrames(child.stdout)) {
      frames.push(value);
      options.onFrame?.(value, send);
      if (value.type === "result") sendNext();
    }
    const [exitCode, signal] = await exit;
    if (signal !== null)
      throw new Error(`The CLI did not end by itself. Its last frame: ${JSON.stringify(frames.at(-1))}`);
    return { frames, results: frames.filter((frame) => frame.type === "result"), exitCode, stderr };
  } finally {
    clearTimeout(guard);
    // Does nothing unless a frame was no JSON, or `onFrame` threw.
    child.kill("SIGKILL");
  }
}
