import type { Options } from "@reins/sdk";
import { type ChunkSource, decodeFrames, type FrameSink } from "@reins/streamjson";
import { Bridge, type BridgeEnd } from "./bridge.ts";

/** Options of {@link runBridge}. */
export interface RunBridgeOptions {
  /** Lines of the host, such as `process.stdin`. */
  readonly input: ChunkSource;
  /** Takes the lines for the host, such as `process.stdout`. It is not closed. */
  readonly output: FrameSink;
  /**
   * What is decided here and not by the host: the CLI, its environment, hooks, servers, where its requests are captured. What a host may say
   * (see `OpenOptions`) goes over it, but lifts no limit and allows no tool that is forbidden here. `canUseTool` is the host's.
   */
  readonly options?: Options | undefined;
  /** Ends the bridge. */
  readonly signal?: AbortSignal | undefined;
  /** Longest line of the host, in bytes. A longer one is an error message to the host. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/**
 * Holds sessions for a host in any language: reads its messages from `input`, one line of JSON each, and answers on `output`.
 *
 * Only messages of the protocol have an effect, in exactly the form that they have there. No line of the host reaches the CLI as it is.
 *
 * Settles when the bridge is over and the process of its session is gone: at the end of the input, when the output fails, when the signal
 * aborts, or when there is no version of the protocol in common. Never rejects. When the input did not end first it is left as it is; what
 * keeps a program running, such as `process.stdin`, is then to be destroyed.
 *
 * @example
 * await runBridge({ input: process.stdin, output: process.stdout });
 * @see contracts/bridge-v1.md
 */
export async function runBridge(options: RunBridgeOptions): Promise<BridgeEnd> {
  const { input, output, signal, maxLineBytes } = options;
  const bridge = new Bridge(options.options ?? {}, output);
  let onAbort = (): void => {};
  const aborted = new Promise<BridgeEnd>((resolve) => {
    onAbort = () => resolve("aborted");
  });
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  const frames = decodeFrames(input, { onMalformed: "deliver", ...(maxLineBytes !== undefined && { maxLineBytes }) });
  const end = await Promise.race([aborted, bridge.over, read(frames, bridge)]);
  signal?.removeEventListener("abort", onAbort);
  await bridge.close(end);
  return end;
}

async function read(frames: ReturnType<typeof decodeFrames>, bridge: Bridge): Promise<BridgeEnd> {
  try {
    for await (const frame of frames) bridge.take(frame);
  } catch {
    // An input that breaks has ended.
  }
  return "input-ended";
}
