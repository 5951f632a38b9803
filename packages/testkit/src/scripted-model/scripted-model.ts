import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { writeAnswer } from "./answer.ts";
import { RequestNotSeenError, ScriptMismatchError } from "./errors.ts";
import { readRequest, withoutBody } from "./read-request.ts";
import { createModelRequest, isMessagesBody, type ModelRequest, type RequestEnd, type SideRequest } from "./request.ts";
import { answerJson, answerSideRequest, sideTurn } from "./side-answer.ts";
import { apiError, type ScriptedAnswer, type ScriptedTurn, toTurn } from "./turn.ts";

/**
 * What a scripted model says: a list with one answer for each call of the model, in the order in which the calls come; or a
 * function that sees the call and its number, counted from 0. A function that returns `undefined` refuses the call.
 */
export type ModelScript =
  | readonly ScriptedAnswer[]
  | ((request: ModelRequest, index: number) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>);

/** A running scripted model. Close it. */
export interface ScriptedModel extends AsyncDisposable {
  /** Base of the API, for `ANTHROPIC_BASE_URL`: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The calls of the model that went to the script, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** All else that was asked: token counts, probes, unknown paths, other hosts. */
  readonly sideRequests: readonly SideRequest[];
  /** How many turns of a list are left. Always 0 for a function. */
  readonly remaining: number;
  /**
   * Waits for a call of the model and returns it.
   *
   * @param which The number of the call, counted from 1, or a test that it must pass. A call that came already counts.
   * @param timeoutMs Default 10 s.
   * @throws {@link RequestNotSeenError} when the time is over, or the model is closed, before it came.
   */
  waitForRequest(which: number | ((request: ModelRequest) => boolean), timeoutMs?: number): Promise<ModelRequest>;
  /**
   * Checks that all turns were used and that nothing else was asked: no call after the last turn, no unknown path, no other host.
   * Probes and token counts that the scripted model answers by itself are no mistake.
   *
   * @throws {@link ScriptMismatchError} with everything that does not fit.
   */
  assertDone(): void;
  /** Ends all answers, closes all connections and the port. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a Messages API on loopback that answers from a script, so that the real CLI runs without network, key and tokens.
 *
 * Answers `POST /v1/messages` with and without `stream`. What the CLI asks beside the conversation is answered without using up
 * the script, and recorded in `sideRequests`: token counts, calls with `max_tokens: 1`, the call that names a session. Each try of
 * a request that the CLI repeats takes a turn of its own. A call for which the script has no answer gets an error that the CLI
 * shows and does not repeat, and {@link ScriptedModel.assertDone} reports it.
 *
 * It is a trap for other hosts, too: an HTTP client whose proxy it is (`createSandbox` sees to that) gets a 403, and `assertDone`
 * names the host.
 *
 * @example
 * await using model = await startScriptedModel([toolUse("Bash", { command: "date" }), text("It is late.")]);
 * @remarks Verified against CLI 2.1.328.
 */
export async function startScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  if (typeof script !== "function") checkAnswers(script);
  const model = new RunningModel(script);
  await model.listen();
  return model;
}

/** Without types a function in the list would pass for an empty turn. */
function checkAnswers(script: readonly unknown[]): void {
  const wrong = script.findIndex((answer) => typeof answer !== "object" || answer === null);
  if (wrong === -1) return;
  throw new TypeError(
    `Answer ${wrong + 1} of the script is of type ${typeof script[wrong]}. Give blocks or turns, or one function in place of the list.`,
  );
}

class RunningModel implements ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly sideRequests: SideRequest[] = [];
  readonly #script: ModelScript;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #closing = new AbortController();
  readonly #problems: string[] = [];
  readonly #waiters = new Set<() => void>();
  #cause: unknown;
  #replies = 0;
  #toolUses = 0;
  #url = "";
  #closed: Promise<void> | undefined;

  constructor(script: ModelScript) {
    this.#script = script;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // A client that goes away in the middle is part of what is tested.
      socket.on("error", () => {});
    });
    this.#server.on("connect", (request: IncomingMessage, socket: Duplex) => {
      this.#refuseOtherHost(withoutBody(request));
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    });
    // The CLI keeps its connections; one that Node closes while a request is on its way looks like a network failure to it.
    this.#server.keepAliveTimeout = 0;
  }

  get url(): string {
    return this.#url;
  }

  get remaining(): number {
    return typeof this.#script === "function" ? 0 : Math.max(0, this.#script.length - this.requests.length);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    // A server on TCP has an address of this form; the other forms are of pipes and of servers that do not listen.
    const { port } = this.#server.address() as AddressInfo;
    this.#url = `http://127.0.0.1:${port}`;
  }

  waitForRequest(which: number | ((request: ModelRequest) => boolean), timeoutMs = 10_000): Promise<ModelRequest> {
    const find = (): ModelRequest | undefined =>
      typeof which === "number" ? this.requests[which - 1] : this.requests.find(which);
    return new Promise((resolve, reject) => {
      const check = (): void => {
        try {
          const found = find();
          if (found !== undefined) resolve(found);
          else if (this.#closed !== undefined) reject(this.#notSeen(which, "before it was closed"));
          else return;
        } catch (error) {
          reject(error);
        }
        clearTimeout(timer);
        this.#waiters.delete(check);
      };
      const timer = setTimeout(() => {
        this.#waiters.delete(check);
        reject(this.#notSeen(which, `within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiters.add(check);
      check();
    });
  }

  assertDone(): void {
    const left = this.remaining;
    const problems = [...this.#problems];
    if (left > 0) {
      const total = this.requests.length + left;
      problems.push(`${left} of ${total} turns were not used, the next one is number ${this.requests.length + 1}.`);
    }
    if (problems.length > 0) throw new ScriptMismatchError(problems, this.#cause);
  }

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#closing.abort();
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
    this.#notify();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    // The client went away before its request was complete.
    if (request === undefined) return;
    if (!request.path.startsWith("/")) {
      this.#refuseOtherHost(request);
      answerJson(response, 403, {
        type: "error",
        error: { type: "permission_error", message: "Other hosts are closed." },
      });
      return;
    }
    const { body, method } = request;
    if (method === "POST" && /^\/v1\/messages(\?|$)/.test(request.path) && isMessagesBody(body)) {
      await this.#answerModelCall({ ...request, body }, response);
    } else {
      this.sideRequests.push(request);
      if (!answerSideRequest(request, response)) this.#problems.push(`${method} ${request.path} is not known.`);
    }
  }

  async #answerModelCall(
    request: SideRequest & { readonly body: ModelRequest["body"] },
    response: ServerResponse,
  ): Promise<void> {
    const turn = sideTurn(request.body);
    if (turn !== undefined) {
      this.sideRequests.push(request);
      await this.#write(response, Promise.resolve(turn), request.body);
      return;
    }
    let settle = (_end: RequestEnd): void => {};
    const ended = new Promise<RequestEnd>((resolve) => {
      settle = resolve;
    });
    const modelRequest = createModelRequest(request, ended);
    const index = this.requests.push(modelRequest) - 1;
    this.#notify();
    settle(await this.#write(response, this.#nextTurn(modelRequest, index), request.body));
  }

  /** Settles always: what goes wrong in the script becomes an error for the client and a problem for `assertDone`. */
  async #nextTurn(request: ModelRequest, index: number): Promise<ScriptedTurn> {
    const call = `Scripted model: call ${index + 1}`;
    try {
      const script = this.#script;
      const answer = await (typeof script === "function" ? script(request, index) : script[index]);
      if (answer !== undefined) return toTurn(answer);
      const why =
        typeof script === "function" ? "the script refused it" : `the script of the test has only ${script.length}`;
      return this.#refuse(`${call} has no answer, ${why}. Its last user text: ${excerpt(request.userText)}`);
    } catch (error) {
      this.#cause ??= error;
      return this.#refuse(`${call} got no answer, the script threw ${String(error)}`);
    }
  }

  #refuse(problem: string): ScriptedTurn {
    this.#problems.push(problem);
    // Without the header the CLI would try again for minutes.
    return apiError(500, { message: problem, headers: { "x-should-retry": "false" } });
  }

  #refuseOtherHost(request: SideRequest): void {
    this.sideRequests.push(request);
    this.#problems.push(`${request.method} ${request.path} was meant for another host and did not leave this one.`);
  }

  async #write(response: ServerResponse, turn: Promise<ScriptedTurn>, body: ModelRequest["body"]): Promise<RequestEnd> {
    this.#replies += 1;
    const ids = {
      messageId: `msg_${number(this.#replies)}`,
      model: body.model,
      nextToolUseId: () => `toolu_${number(++this.#toolUses)}`,
    };
    try {
      return await writeAnswer(response, turn, body.stream === true, ids, this.#closing.signal);
    } catch (error) {
      this.#cause ??= error;
      this.#problems.push(`An answer could not be written: ${String(error)}`);
      return "dropped";
    }
  }

  #notify(): void {
    for (const check of [...this.#waiters]) check();
  }

  #notSeen(which: number | ((request: ModelRequest) => boolean), why: string): RequestNotSeenError {
    const what = typeof which === "number" ? `call ${which} of the model` : "call of the model that fits";
    const seen = [
      ...this.requests.map((request, index) => `call ${index + 1}, user text ${excerpt(request.userText)}`),
      ...this.sideRequests.map(({ method, path }) => `${method} ${path}`),
    ];
    return new RequestNotSeenError(what, why, seen);
  }
}

function number(count: number): string {
  return String(count).padStart(4, "0");
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
