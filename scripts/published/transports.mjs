// The transports that the README of @reins/streamjson shows, each with a session to its end.
import { equal } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { query } from "@reins/sdk";
import { decodeFrames } from "@reins/streamjson";
import { scriptedCliExecutable } from "@reins/testkit";
import { WebSocket, WebSocketServer } from "ws";
import { socketTransport } from "./packages/streamjson/examples/socket-transport.ts";
import { webSocketTransport } from "./packages/streamjson/examples/websocket-transport.ts";

const base = { session_id: "11111111-1111-4111-8111-111111111111", uuid: "00000000-0000-4000-8000-000000000001" };
await using cli = await scriptedCliExecutable({
  steps: [
    { do: "init" },
    { do: "read", match: { type: "user" } },
    { do: "write", frame: { type: "result", subtype: "success", is_error: false, result: "Hello.", ...base } },
    { do: "write", frame: { type: "system", subtype: "session_state_changed", state: "idle", ...base } },
    { do: "readEnd" },
  ],
});
const startCli = () => spawn(cli.path, [], { stdio: ["pipe", "pipe", "inherit"] });

const sockets = createServer({ allowHalfOpen: true }, (socket) => {
  const child = startCli();
  socket.pipe(child.stdin);
  child.stdout.pipe(socket);
}).listen(0, "127.0.0.1");
await once(sockets, "listening");
await converse(socketTransport(connect(sockets.address().port, "127.0.0.1")));
sockets.close();

const webSockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
webSockets.on("connection", async (socket) => {
  const child = startCli();
  socket.on("message", (line) => (line.length === 0 ? child.stdin.end() : child.stdin.write(line)));
  for await (const frame of decodeFrames(child.stdout)) socket.send(frame.text);
  socket.close(1000);
});
await once(webSockets, "listening");
await converse(webSocketTransport(new WebSocket(`ws://127.0.0.1:${webSockets.address().port}`)));
webSockets.close();
console.log("ok");

async function converse(transport) {
  const results = [];
  for await (const message of query({ prompt: "Hello.", options: { transport } })) {
    if (message.type === "result") results.push(message.result);
  }
  equal(results.join(), "Hello.");
}
