import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { type ServedServer, serveTransport } from "./serve-transport.ts";

/** Where {@link serveStdio} reads and writes. */
export interface ServeStdioOptions {
  /** Default: the standard input of this process. */
  readonly input?: Readable;
  /** Default: the standard output of this process. */
  readonly output?: Writable;
  /** Told of lines that are no messages, and of streams that fail. Must not throw. Default: nobody. */
  readonly onError?: (error: Error) => void;
}

/** A server that is being served over a pair of streams. */
export interface StdioServing extends AsyncDisposable {
  /** Settles when the session has ended: the client closed the input or does not read any more, or `close()` was called. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends the session: running calls abort. The streams stay open; the input is paused. Never rejects. */
  close(): Promise<void>;
}

/**
 * Serves tools to the client that started this process, such as an editor or the CLI with an entry of `--mcp-config`: one session, over
 * standard input and output. It ends with the input; nothing of it keeps the process alive then.
 *
 * A message of more than 10 MB ends the session, as the MCP SDK has it. Nothing else may write to the standard output: `console.log` would break the protocol, `console.error` does not.
 *
 * @throws What `server.connect` throws.
 * @example
 * serveStdio(createToolServer({ name: "calc", tools: [add] }));
 */
export function serveStdio(server: ServedServer, options: ServeStdioOptions = {}): StdioServing {
  const { input = process.stdin, output = process.stdout, onError = () => {} } = options;
  const transport = new StdioServerTransport(input, output);
  const close = async (): Promise<void> => {
    await transport.close();
  };
  const end = (): void => void close();
  let settle = (): void => {};
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const onEnd = (): void => {
    for (const event of ["end", "close"]) input.off(event, end);
    output.off("close", end);
    settle();
  };
  serveTransport(server, transport, { answersCancelled: false, onError, onEnd });
  for (const event of ["end", "close"]) input.once(event, end);
  output.once("close", end);
  // A client that went away makes the next write fail, which would end the process. The listener stays: writes may fail late.
  output.on("error", (error) => {
    onError(error);
    end();
  });
  void transport.start();
  if (input.readableEnded || input.destroyed) end();
  return { closed, close, [Symbol.asyncDispose]: close };
}
