import { once } from "node:events";
import type { Socket } from "node:net";
import { createStreamTransport, type Transport } from "@reins/streamjson";

/**
 * Speaks to a CLI at the other end of a socket, such as `socat -t 3600 TCP-LISTEN:7000 EXEC:"claude ..."` in a container. The other end
 * has to keep its side open when this side ends (`-t` of socat, `allowHalfOpen` in Node), since `endInput` ends one direction only.
 */
export function socketTransport(socket: Socket): Transport {
  // Rejects when the socket fails, which makes it the error of the exit.
  const exit = once(socket, "close").then(() => ({}));
  return createStreamTransport({ readable: socket, writable: socket, exit, close: () => void socket.destroy() });
}
