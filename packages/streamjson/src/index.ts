// The public surface of @reins/streamjson, by name.

export { type ChunkSource, createFrameDecoderStream, decodeBatches, decodeFrames } from "./decode-frames.ts";
export { FrameDecoder, type FrameDecoderOptions } from "./decoder.ts";
export { encodeFrame } from "./encoder.ts";
export {
  AbortError,
  AlreadyConsumedError,
  FrameEncodeError,
  type FrameError,
  FrameTooLargeError,
  FrameWriteError,
  isReinsError,
  MalformedFrameError,
  ReinsError,
} from "./errors.ts";
export { decodeFrame, Frame, type FrameValue, frameSubtype, frameType } from "./frame.ts";
export { FrameQueue } from "./frame-queue.ts";
export { createStreamTransport, type StreamTransportOptions } from "./stream-transport.ts";
export type { Transport, TransportExit } from "./transport.ts";
export { type FrameSink, FrameWriter, type NodeWritable } from "./writer.ts";
