export { type CapturedBlock, type CapturedTurn, capturesToScript } from "./captures-to-script.ts";
export type { RequestChanges } from "./changes.ts";
export { CaptureFileError, CaptureFolderError, CaptureScriptError } from "./errors.ts";
export type {
  CapturedExchange,
  Exchange,
  ExchangeEnd,
  ExchangeEvent,
  ExchangeRequest,
  ExchangeResponse,
  ExchangeTimings,
} from "./exchange.ts";
export { readCapture } from "./read-capture.ts";
export type { ReplyUsage } from "./reply.ts";
export { type CallSummary, type CaptureSummary, type OtherRequest, summarizeCapture } from "./summarize-capture.ts";
export { startWiretap, type Wiretap, type WiretapOptions, wiretapEnv } from "./wiretap.ts";
