import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createStreamTransport, type FrameValue, type Transport } from "@reins/streamjson";

/** A program that was spawned, and a transport over its pipes. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly transport: Transport;
}

/** Spawns a program with an empty environment. The transport kills it at `close()`. */
export function spawnTransport(
  path: string,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Spawned {
  const child = spawn(path, argv, { stdio: ["pipe", "pipe", "pipe"], env });
  let stderrTail = "";
  child.stderr.on("data", (chunk) => {
    stderrTail = (stderrTail + String(chunk)).slice(-16_384);
  });
  const exit = once(child, "close").then(([code, signal]) => ({ code, signal, stderrTail }));
  const transport = createStreamTransport({
    readable: child.stdout,
    writable: child.stdin,
    exit,
    close: () => {
      child.kill("SIGKILL");
      // A grandchild may hold the pipes; the host need not wait for it.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  });
  return { child, transport };
}

/** What {@link playHost} got. */
export interface HostView {
  readonly frames: FrameValue[];
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
}

/** What {@link playHost} does. */
export interface HostPlan {
  readonly initialize?: FrameValue;
  /** Messages: the first is sent at once, each other one behind a result. */
  readonly messages: readonly FrameValue[];
  /** Answers a request of the CLI. Default: allows what can be allowed. */
  readonly answer?: (request: FrameValue) => FrameValue | undefined;
  /** Called with each frame; what it returns is sent. */
  readonly onFrame?: (frame: FrameValue) => FrameValue | undefined;
}

/** Plays a small host to the end of the conversation. It ends the input behind the last result. */
export async function playHost(transport: Transport, plan: HostPlan): Promise<HostView> {
  const frames: FrameValue[] = [];
  const messages = [...plan.messages];
  await transport.send({
    type: "control_request",
    request_id: "host-initialize",
    request: { subtype: "initialize", ...plan.initialize },
  });
  const first = messages.shift();
  if (first !== undefined) await transport.send(first);
  for await (const batch of transport.frames) {
    for (const { value } of batch) {
      frames.push(value);
      const reply = plan.onFrame?.(value);
      if (reply !== undefined) await transport.send(reply);
      if (value.type === "control_request") {
        const response = plan.answer?.(value) ?? { behavior: "allow", updatedInput: {} };
        await transport.send({
          type: "control_response",
          response: { subtype: "success", request_id: value["request_id"], response },
        });
      }
      if (value.type !== "result") continue;
      const next = messages.shift();
      if (next === undefined) await transport.endInput();
      else await transport.send(next);
    }
  }
  const { code, signal, stderrTail } = await transport.closed;
  return { frames, code, signal, stderrTail };
}
