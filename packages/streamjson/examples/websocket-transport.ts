import type { Transport, TransportExit } from "@reins/streamjson";
import { encodeFrame, FrameDecoder, FrameQueue, FrameWriteError } from "@reins/streamjson";

/** From here on `send` waits. */
const highWaterBytes = 1024 * 1024;

/**
 * Speaks to a CLI behind a WebSocket that is connecting or open. A message holds whole lines. An empty one is the end of the input, as a
 * WebSocket cannot end one direction only. The other side closes with 1000 when all went well.
 *
 * A WebSocket cannot be told to wait: a consumer that is slower than the other side lets the queue grow.
 */
export function webSocketTransport(socket: WebSocket): Transport {
  const frames = new FrameQueue();
  const decoder = new FrameDecoder({ onMalformed: "deliver" });
  let isClosing = false;
  const failure = () => new FrameWriteError("the WebSocket is closed");

  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => {
    const message = typeof data === "string" ? data : new Uint8Array(data);
    void frames.push([...decoder.push(message).end()]);
  });
  // It says nothing, and is followed by "close".
  socket.addEventListener("error", () => {});
  const closed = new Promise<TransportExit>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      frames.end();
      const exit = { code: null, signal: null, stderrTail: "" };
      const isGood = code === 1000 || isClosing;
      resolve(isGood ? exit : { ...exit, error: new Error(`The WebSocket was closed with code ${code}. ${reason}`) });
    });
  });
  const opened = new Promise<unknown>((resolve) => {
    if (socket.readyState === socket.OPEN) resolve(undefined);
    socket.addEventListener("open", resolve);
    socket.addEventListener("close", resolve);
  });

  const close = async () => {
    isClosing = true;
    socket.close(1000);
    await closed;
  };
  return {
    frames,
    closed,
    async send(frame) {
      const line = encodeFrame(frame);
      await opened;
      if (socket.readyState !== socket.OPEN) throw failure();
      socket.send(line);
      // There is no event for this.
      while (socket.bufferedAmount > highWaterBytes) {
        if (socket.readyState !== socket.OPEN) throw failure();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async endInput() {
      await opened;
      if (socket.readyState === socket.OPEN) socket.send("");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
