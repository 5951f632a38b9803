import { once } from "node:events";
import { connect } from "node:net";
import { query } from "@reins/sdk";
import { createStreamTransport } from "@reins/streamjson";

const socket = connect({ port: 7000, host: "127.0.0.1" });
const transport = createStreamTransport({
  readable: socket,
  writable: socket,
  exit: once(socket, "close").then(() => ({})),
  close: () => void socket.destroy(),
});
for await (const message of query({ prompt: "Hello.", options: { transport } })) console.log(message.type);
