/** How an exchange ended. */
export type ExchangeEnd =
  /** The answer came to its end and was passed on. */
  | "complete"
  /** No end was seen yet, or the process that recorded it died before. */
  | "pending"
  /** The client went away before the end of the answer: it was interrupted, or closed. */
  | "client-gone"
  /** The API could not be reached, or its answer broke off. */
  | "upstream-failed"
  /** {@link Wiretap.close} came first. */
  | "closed";

/** One request to the API and its answer, as a file of a capture holds it. Credentials read `<redacted>`. */
export interface Exchange {
  /** When the request began, as ISO 8601. */
  readonly startedAt: string;
  readonly request: ExchangeRequest;
  /** Missing when no answer came. */
  readonly response?: ExchangeResponse;
  readonly end: ExchangeEnd;
  /** What went wrong, for the end `upstream-failed`. */
  readonly error?: string;
  readonly timings: ExchangeTimings;
}

/** What the client asked. */
export interface ExchangeRequest {
  readonly method: string;
  /** Path with its query, as the client asked for it: without the path of the base URL. */
  readonly path: string;
  /** By lower-case name. Several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; the text when it is none; missing when there is none. */
  readonly body?: unknown;
  /** Bytes of the body on the wire. */
  readonly bytes: number;
}

/** What the API answered, as far as it came. */
export interface ExchangeResponse {
  readonly status: number;
  /** By lower-case name. Several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer when it is no stream: parsed JSON, or the text when it is none. */
  readonly body?: unknown;
  /** The answer when it is a stream of server-sent events. */
  readonly events?: readonly ExchangeEvent[];
  /** Bytes of the body on the wire. */
  readonly bytes: number;
  /** True when the answer was longer than what is recorded. */
  readonly isTruncated?: true;
}

/** A server-sent event. */
export interface ExchangeEvent {
  /** Its name; the API repeats it as `type` in the data. */
  readonly event?: string;
  /** Parsed JSON; the text when it is none. */
  readonly data: unknown;
  /** When its last byte came, in milliseconds since the request began. */
  readonly atMs: number;
}

/** Milliseconds since the request began. */
export interface ExchangeTimings {
  /** The request was read. */
  readonly requestMs?: number;
  /** The status line of the answer came. */
  readonly statusMs?: number;
  /** The first byte of the answer's body came. */
  readonly firstByteMs?: number;
  /** The exchange was over. */
  readonly endMs?: number;
}

/** An exchange with its place in the capture. */
export interface CapturedExchange extends Exchange {
  /** Its number, counted from 1 in the order of arrival: the name of its file. */
  readonly number: number;
}
