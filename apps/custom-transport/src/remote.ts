// The other process: runs a CLI, and speaks to one host at a time. The session outlives the connection.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { decodeFrame, decodeFrames, FrameWriter } from "@reins/streamjson";
import { createSandbox, findTestBinary, startScriptedModel, text, toolUse } from "@reins/testkit";
import { WebSocket, WebSocketServer } from "ws";

/** A host that does not come back ends the session. */
const awayMs = 60_000;
/** How much is kept of what was sent: more than can be on its way when a connection is lost. */
const maxKept = 16 * 1024 * 1024;

// Offline: the real CLI in a sandbox, with a script in place of the model. Live: your own, in this folder.
const model = process.argv.includes("--live")
  ? undefined
  : await startScriptedModel(({ toolResults: [result] }) =>
      result
        ? text(result.isError ? "It was refused." : "It is there.")
        : toolUse("Bash", { command: "touch plan.txt" }),
    );
const sandbox = model && (await createSandbox({ model }));

// What is an argument is decided here, not by the host. `stdio`: the CLI asks the host about tools.
const argv = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
argv.push("--permission-prompt-tool", "stdio");
const command = sandbox ? findTestBinary() : "claude";
const cli = spawn(command, argv, { ...sandbox?.spawnOptions(), stdio: ["pipe", "pipe", "inherit"] });
const exited = once(cli, "exit").catch((error: Error) => {
  console.error(error.message);
  return [127, null];
});
const input = new FrameWriter(cli.stdin);
// What the CLI started may hold its output open.
void exited.then(() => setTimeout(() => cli.stdout.destroy(), host ? 5_000 : awayMs).unref());

/** Frames by their numbers, from `first` on. What was handed to the host of today is below `sent`. */
const frames: string[] = [];
let kept = 0;
let first = 0;
let sent = 0;
const changes = new EventEmitter();
/** The exit code of the CLI, or its signal, when all its frames were handed out. */
let end: string | undefined;
/** Aborted when the host knows the end, or will never ask. */
const over = new AbortController();

let host: WebSocket | undefined;
let isStopping = false;
let away: NodeJS.Timeout | undefined;
let losesAnswer = process.argv.includes("--lose-an-answer");

const token = randomUUID();
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (socket, request) => {
  socket.on("error", () => {});
  const query = new URLSearchParams(request.url?.split("?")[1]);
  // Any page in a browser may open a WebSocket to loopback.
  if (query.get("token") !== token) return socket.close(1008, "the token is wrong");
  const from = Number(query.get("from") ?? Number.NaN);
  if (!Number.isInteger(from) || from < first || from > first + frames.length)
    return socket.close(1008, "the frames are gone");

  host?.terminate();
  host = socket;
  clearTimeout(away);
  socket.on("close", (code) => {
    if (socket !== host) return;
    host = undefined;
    if (isStopping || (end !== undefined && code === 1000)) over.abort();
    else away = setTimeout(stop, awayMs);
  });
  socket.on("message", (data) => {
    const message = data.toString();
    if (message === "end") input.end().catch(() => {});
    else if (message === "stop") stop();
    else if (losesAnswer && message.includes('"control_response"')) {
      losesAnswer = false;
      socket.terminate();
    } else {
      // It fails when the CLI has ended, which the host is told anyway.
      input.write(decodeFrame(message)).catch(() => {});
    }
  });
  void sendFrames(socket, from);
});

/** Sends from a number on, for as long as this is the host. */
async function sendFrames(socket: WebSocket, from: number): Promise<void> {
  for (sent = from; socket === host && socket.readyState === WebSocket.OPEN; ) {
    const frame = frames[sent - first];
    if (frame !== undefined) {
      const error = await new Promise<Error | undefined>((resolve) => socket.send(frame, resolve));
      if (error || socket !== host) return;
      sent++;
      changes.emit("sent");
    } else if (end !== undefined) return socket.close(1000, end);
    else await once(changes, "frame");
  }
}

/** Ends the CLI, by force if it must be. */
function stop(): void {
  isStopping = true;
  if (!host) over.abort();
  input.end().catch(() => {});
  setTimeout(() => cli.kill("SIGTERM"), 2_000).unref();
  setTimeout(() => cli.kill("SIGKILL"), 7_000).unref();
}
process.on("SIGINT", stop).on("SIGTERM", stop);

await once(server, "listening");
// Of a server on TCP it is one.
const { port } = server.address() as AddressInfo;
console.log(`ws://127.0.0.1:${port}/?token=${token}`);
away = setTimeout(stop, awayMs);

try {
  for await (const frame of decodeFrames(cli.stdout, { onMalformed: "deliver" })) {
    frames.push(frame.text);
    kept += frame.text.length;
    for (; kept > maxKept && first < sent; first++) kept -= frames.shift()?.length ?? 0;
    changes.emit("frame");
    // The CLI waits for the host, too.
    while (sent < first + frames.length) await once(changes, "sent", { signal: over.signal });
  }
} catch {
  // Nobody wants the rest.
}
const [code, signal] = await exited;
end = String(signal ?? code);
changes.emit("frame");
if (!over.signal.aborted) await once(over.signal, "abort");
clearTimeout(away);
server.close();
await sandbox?.close();
await model?.close();
