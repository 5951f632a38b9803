/** What a handler makes of a request of the CLI. */
export type Answer =
  | { readonly kind: "success"; readonly response?: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: "error"; readonly error: string; readonly errorCode?: string }
  /** Somebody else answers, or nobody. */
  | { readonly kind: "none" };

/** The fields of a control request of the CLI, `subtype` among them. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** What a handler is told beside the request. */
export interface RequestContext {
  /** Aborted when the CLI withdraws the request and when the session ends. An answer after that is dropped. Made when it is asked for. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Called when the signal aborts, for handlers that can do without one: to make it costs more than all else of a call (bench/, tools). */
  onWithdrawn?: (() => void) | undefined;
}

/** Serves one subtype. */
export interface RequestHandler {
  /** Answers a request. What it throws is answered by `onFailure`. */
  handle(request: RequestFields, context: RequestContext): Promise<Answer> | Answer;
  /** The answer where `handle` failed, or where its answer cannot be written. Default: an error with the failure's text. */
  onFailure?(request: RequestFields, error: unknown): Answer;
}

/** How the requests of the CLI leave this class. */
export interface InboundOptions {
  /** Writes an answer. Rejects with a FrameEncodeError when it cannot be encoded. */
  readonly send: (requestId: string, answer: Exclude<Answer, { kind: "none" }>) => Promise<void>;
  /** Told of each handler that failed. */
  readonly onFailure: (subtype: string, error: unknown) => void;
  /** Told of an answer that came after the request was withdrawn or the session ended. */
  readonly onLateAnswer: (requestId: string, subtype: string) => void;
}

/**
 * The requests of the CLI that are being served. Handlers run beside the reader, each request is answered at most once, and what
 * was withdrawn is not answered.
 */
export class InboundRequests {
  readonly #options: InboundOptions;
  /** The handlers of each subtype. The last one serves; those before it come back when it is taken away. */
  readonly #handlers = new Map<string, readonly { readonly handler: RequestHandler }[]>();
  readonly #active = new Map<string, ActiveRequest>();
  #closed = false;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  /** Serves a subtype; the latest handler counts. Returns the function that takes it away. */
  serve(subtype: string, handler: RequestHandler): () => void {
    const entry = { handler };
    this.#handlers.set(subtype, [...(this.#handlers.get(subtype) ?? []), entry]);
    return () => {
      const entries = this.#handlers.get(subtype) ?? [];
      this.#handlers.set(
        subtype,
        entries.filter((other) => other !== entry),
      );
    };
  }

  /** Begins to serve a request, and returns at once. A request that is being served already is not begun again. */
  dispatch(requestId: string, request: RequestFields): void {
    if (this.#closed || this.#active.has(requestId)) return;
    const active = new ActiveRequest(requestId);
    this.#active.set(requestId, active);
    void this.#serve(requestId, request, active);
  }

  /** Withdraws a request: its handler's signal aborts, and its answer is not written. */
  cancel(requestId: string): void {
    const active = this.#active.get(requestId);
    this.#active.delete(requestId);
    active?.withdraw();
  }

  /** Withdraws everything, and accepts nothing more. */
  close(): void {
    this.#closed = true;
    for (const requestId of [...this.#active.keys()]) this.cancel(requestId);
  }

  async #serve(requestId: string, request: RequestFields, active: ActiveRequest): Promise<void> {
    const subtype = textOf(request["subtype"]);
    const handler = this.#handlers.get(subtype)?.at(-1)?.handler ?? unsupported;
    const isCurrent = (): boolean => this.#active.get(requestId) === active;
    const fail = (error: unknown): Answer => {
      // What a withdrawn handler throws is most often the abort itself.
      if (isCurrent()) this.#options.onFailure(subtype, error);
      try {
        return checkedAnswer(handler.onFailure?.(request, error));
      } catch {
        return { kind: "error", error: textOf(error) };
      }
    };
    let answer: Answer;
    try {
      answer = checkedAnswer(await handler.handle(request, active));
    } catch (error) {
      answer = fail(error);
    }
    if (!isCurrent()) {
      if (answer.kind !== "none") this.#options.onLateAnswer(requestId, subtype);
      return;
    }
    try {
      if (answer.kind !== "none") await this.#options.send(requestId, answer);
    } catch (error) {
      // The answer could not be encoded. What stands in for it can.
      const substitute = fail(error);
      if (substitute.kind !== "none") await this.#options.send(requestId, substitute).catch(() => {});
    } finally {
      if (isCurrent()) this.#active.delete(requestId);
    }
  }
}

class ActiveRequest implements RequestContext {
  readonly requestId: string;
  onWithdrawn: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  withdraw(): void {
    this.#reason = new DOMException("The CLI withdrew this request.", "AbortError");
    this.#controller?.abort(this.#reason);
    this.onWithdrawn?.();
  }
}

/** Requests that belong to another client of a shared session. An answer from here would be taken for theirs. */
const foreignSubtypes: readonly string[] = [
  "remote_tool_call",
  "remote_plumbing_call",
  "remote_tools_probe",
  "remote_tools_reannounce",
];

const unsupported: RequestHandler = {
  handle(request) {
    const subtype = textOf(request["subtype"]);
    if (foreignSubtypes.includes(subtype)) return { kind: "none" };
    // The CLI recognises these words as "this client does not serve it".
    return {
      kind: "error",
      error: `Unsupported control request subtype: ${subtype}`,
      errorCode: "unsupported_request",
    };
  },
};

function checkedAnswer(answer: Answer | undefined): Answer {
  const kind = answer?.kind;
  if (answer !== undefined && (kind === "success" || kind === "error" || kind === "none")) return answer;
  throw new TypeError("the handler gave no answer: it must return an object whose kind is success, error or none");
}

/** The text of whatever was thrown, or came over the wire. Never fails, as `String` does for `{ "toString": 1 }`. */
export function textOf(value: unknown): string {
  try {
    return value instanceof Error ? String(value.message || value.name) : String(value);
  } catch {
    return `a value of type ${typeof value} without text`;
  }
}
