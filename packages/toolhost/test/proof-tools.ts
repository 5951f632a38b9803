import { z } from "zod";
import { createToolServer, type ToolServer, tool } from "../src/index.ts";

/** A PNG of one pixel. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Tools that do what a client has to bear. */
export function createProofServer(onWait: (signal: AbortSignal) => void = () => {}): ToolServer {
  const server: ToolServer = createToolServer({
    name: "proof",
    instructions: "Tools for tests.",
    tools: [
      tool("add", "Adds.", { a: z.number(), b: z.number() }, ({ a, b }) => String(a + b)),
      tool("fail", "Fails.", {}, () => {
        throw new Error("out of order");
      }),
      tool("draw", "Draws.", {}, () => ({ content: [{ type: "image", data: pixel, mimeType: "image/png" }] })),
      tool("large", "Gives a text of a length.", { length: z.number() }, ({ length }) => "x".repeat(length)),
      tool("slow", "Tells how far it is.", {}, (_, { progress, log }) => {
        for (const done of [1, 2, 3]) progress(done, 3);
        log("done", "error");
        return "done";
      }),
      tool("wait", "Waits until it is cancelled.", {}, (_, { signal }) => {
        onWait(signal);
        return new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      }),
      tool("grow", "Adds a tool.", {}, () => {
        server.add(tool("grown", "Is new.", {}, () => "new"));
        return "grown";
      }),
    ],
  });
  return server;
}
