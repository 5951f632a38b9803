import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback that answers for the model, always the same. */
export interface OneSentenceModel extends AsyncDisposable {
  readonly url: string;
}

/** Starts it on a free port. It knows `POST /v1/messages`, streamed or not, and refuses all else. */
export async function startOneSentenceModel(sentence: string): Promise<OneSentenceModel> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("error", () => {});
    request.on("end", () => {
      const isMessages = request.method === "POST" && request.url?.split("?")[0] === "/v1/messages";
      if (!isMessages) response.writeHead(404).end();
      else answer(response, sentence, /"stream"\s*:\s*true/.test(body));
    });
  });
  // A proxy would make the connection. Nothing gets out of here.
  server.on("connect", (_request, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(response: ServerResponse, sentence: string, isStream: boolean): void {
  const message = { id: "msg_doctor", type: "message", role: "assistant", model: "scripted" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (!isStream) {
    const content = [{ type: "text", text: sentence }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content, stop_reason: "end_turn", stop_sequence: null, usage }));
    return;
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: sentence } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
