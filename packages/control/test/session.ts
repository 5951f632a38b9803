import type { FrameValue, Transport } from "@reins/streamjson";
import { type CliEnd, transportPair } from "@reins/testkit";
import { onTestFinished } from "vitest";
import { ControlClient, type ControlClientOptions, type Diagnostic } from "../src/index.ts";

export interface Session {
  readonly client: ControlClient;
  readonly cli: CliEnd;
  readonly diagnostics: Diagnostic[];
  /** The next frame of the host. */
  readonly read: () => Promise<FrameValue>;
  /** Sends a request of the CLI and gives the host's answer to it. */
  readonly ask: (id: string, request: FrameValue) => Promise<FrameValue>;
}

export function session(
  options: ControlClientOptions = {},
  wrap: (transport: Transport) => Transport = (transport) => transport,
): Session {
  const { host, cli } = transportPair();
  const diagnostics: Diagnostic[] = [];
  const client = new ControlClient(wrap(host), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  onTestFinished(() => client.close());
  const read = async (): Promise<FrameValue> => {
    const frame = await cli.read();
    if (frame === undefined) throw new Error("the input ended");
    return frame.value;
  };
  return {
    client,
    cli,
    diagnostics,
    read,
    ask: async (id, request) => {
      await cli.send({ type: "control_request", request_id: id, request });
      for (;;) {
        const { type, response } = (await read()) as { type?: string; response?: FrameValue };
        if (type === "control_response" && response?.["request_id"] === id) return response;
      }
    },
  };
}

/** A transport that does some things in a way of its own. */
export function changed(own: Partial<Transport>): (transport: Transport) => Transport {
  return (transport) => ({
    frames: transport.frames,
    closed: transport.closed,
    send: (frame) => transport.send(frame),
    endInput: () => transport.endInput(),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
    ...own,
  });
}

export function answerTo(request: FrameValue, response?: FrameValue): FrameValue {
  return { type: "control_response", response: { subtype: "success", request_id: request["request_id"], response } };
}

export function refusalOf(request: FrameValue, error: string, code?: string): FrameValue {
  return {
    type: "control_response",
    response: { subtype: "error", request_id: request["request_id"], error, error_code: code },
  };
}

export async function values(client: ControlClient): Promise<FrameValue[]> {
  const seen: FrameValue[] = [];
  for await (const frame of client.messages) seen.push(frame.value);
  return seen;
}
