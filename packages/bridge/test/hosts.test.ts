import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createSandbox, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { type ConformancePeer, conformanceScripts, runConformance } from "../src/conformance/index.ts";
import { hosts, runHost } from "./run-host.ts";

const folder = import.meta.dirname;
/** A place where one bridge is waited for, and the kit in it. */
async function openKit(path: string): Promise<{ peer: Promise<ConformancePeer>; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  // The host ends its side first, and the kit still has something to say.
  const server = createServer({ allowHalfOpen: true });
  const peer = new Promise<ConformancePeer>((resolve) => {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      resolve({
        output: socket,
        write: (lines) => void socket.write(lines),
        end: () => void socket.end(),
        close: async () => void socket.destroy(),
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { peer, close };
}

describe.each(hosts)("%s examples/%s keeps to the protocol", (...host) => {
  const scripts = conformanceScripts.filter(({ plays }) => plays === "bridge");
  test.each(scripts)("$name: $about", async (script) => {
    await using _leaks = startLeakCheck();
    await using sandbox = await createSandbox();
    const path = join(sandbox.root, "kit");
    const kit = await openKit(path);
    const running = runHost(host, [process.execPath, join(folder, "fixtures", "relay.cjs"), path], sandbox);
    const { failure, log } = await runConformance(script, () => kit.peer);
    const run = await running;
    await kit.close();
    expect(failure, JSON.stringify([run, log], undefined, 1)).toBeUndefined();
    expect(run.code).toBe(script.name === "host-without-a-session" ? 1 : 0);
  });
});
