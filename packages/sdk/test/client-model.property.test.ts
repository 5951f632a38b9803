import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, startLeakCheck, transportPair } from "@reins/testkit";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Client, type Turn } from "../src/index.ts";

// A Client under calls of many callers in any order, against a model of a few lines. `REINS_MODEL_RUNS=5000` tries more.

const numRuns = Number(process.env["REINS_MODEL_RUNS"] ?? 100);

/** What the model says of a prompt or a request: not settled, the text of its result, or the code of its error. */
type Fate = string;
const open = "open";

/** What should be seen. The CLI of the tests answers prompts one after another, and requests at once. */
interface Model {
  /** Fates of the prompts, in the order in which they were sent. */
  readonly prompts: Fate[];
  readonly requests: Fate[];
  /** Why nothing can be sent any more. */
  end: string | undefined;
  /** Whether the last that the CLI said was an error result, which is then the reason of a bad exit. */
  isLastError: boolean;
}

/** The prompt at work, and those that wait: what the CLI has not answered is worked on in order. */
function openPrompts({ prompts }: Model): number[] {
  return prompts.flatMap((fate, index) => (fate === open ? [index] : []));
}

function endAll(model: Model, code: string): void {
  model.end = code;
  for (const fates of [model.prompts, model.requests])
    for (const [index, fate] of fates.entries()) if (fate === open) fates[index] = code;
}

/** The session under test, with what was seen of it. */
class Real {
  readonly client: Client;
  readonly prompts: Fate[] = [];
  readonly requests: Fate[] = [];
  readonly turns: (Turn | undefined)[] = [];
  /** All messages that readers got, in order. */
  readonly read: string[] = [];
  readonly readers: Promise<unknown>[] = [];
  readonly cli: PlayedCli;

  constructor() {
    const { host, cli } = transportPair();
    this.cli = new PlayedCli(cli);
    this.client = new Client({ transport: host });
  }

  send(content: unknown): void {
    const index = this.prompts.push(open) - 1;
    // Also what the types forbid.
    const sending = this.client.send(content as string, { uuid: `p${index}` });
    sending.then(
      (turn) => {
        this.turns[index] = turn;
      },
      () => {},
    );
    const fate = sending.then(({ result }) => result).then(textOf, codeOf);
    void fate.then((text) => {
      this.prompts[index] = text;
    });
  }

  request(make: (client: Client) => Promise<unknown>): void {
    const index = this.requests.push(open) - 1;
    void make(this.client)
      .then(() => "answered", codeOf)
      .then((fate) => {
        this.requests[index] = fate;
      });
  }

  readSome(count: number): void {
    const reading = async (): Promise<void> => {
      let left = count;
      for await (const message of this.client.receiveMessages()) {
        this.read.push(JSON.stringify(message));
        if (--left === 0) break;
      }
    };
    this.readers.push(reading().catch(codeOf));
  }
}

/** A CLI that takes prompts and requests as they come, and finishes a turn when it is told to. */
class PlayedCli {
  /** All messages that it wrote. */
  readonly written: string[] = [];
  readonly #end: CliEnd;
  readonly #prompts: string[] = [];

  constructor(end: CliEnd) {
    this.#end = end;
    void this.#serve();
  }

  /** The prompts that it took in; the first one is at work. */
  get prompts(): readonly string[] {
    return this.#prompts;
  }

  finishTurn(result: object): void {
    const uuid = this.#prompts.shift();
    if (uuid === undefined) return;
    this.#message({ type: "result", user_message_uuids: [uuid], is_error: false, ...result });
    this.#lifecycle(uuid, "completed");
    this.#startNext();
  }

  exit(code: number): void {
    this.#end.exit({ code });
  }

  async #serve(): Promise<void> {
    for (;;) {
      const value = (await this.#end.read())?.value;
      if (value === undefined) return;
      if (value.type === "user") this.#take(String(value["uuid"]));
      else if (value.type === "control_request") this.#answer(value);
    }
  }

  #take(uuid: string): void {
    this.#lifecycle(uuid, "queued");
    if (this.#prompts.push(uuid) === 1) this.#startNext();
  }

  #startNext(): void {
    const [uuid] = this.#prompts;
    if (uuid === undefined) return;
    this.#lifecycle(uuid, "started");
    this.#message({ type: "assistant", message: { id: uuid, content: [] } });
  }

  #answer({ request_id, request }: FrameValue): void {
    const { subtype, message_uuid } = request as { subtype: string; message_uuid?: string };
    if (subtype === "interrupt") this.finishTurn({ subtype: "error_during_execution", is_error: true });
    const cancelled = subtype === "cancel_async_message" && this.#cancel(String(message_uuid));
    this.#write({ type: "control_response", response: { subtype: "success", request_id, response: { cancelled } } });
  }

  #cancel(uuid: string): boolean {
    const at = this.#prompts.indexOf(uuid);
    if (at < 1) return false;
    this.#prompts.splice(at, 1);
    this.#lifecycle(uuid, "cancelled");
    return true;
  }

  #lifecycle(command_uuid: string, state: string): void {
    this.#message({ type: "command_lifecycle", command_uuid, state });
  }

  #message(frame: FrameValue): void {
    this.written.push(JSON.stringify(frame));
    this.#write(frame);
  }

  #write(frame: FrameValue): void {
    // The host may have gone.
    this.#end.send(frame).catch(() => {});
  }
}

function textOf(result: { subtype: string; result?: unknown }): string {
  return result.subtype === "success" ? String(result.result) : result.subtype;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : `no type: ${error}`;
}

/** What a command leaves behind it is what the model says, as soon as everything that was begun has happened. */
async function agree(model: Model, real: Real): Promise<void> {
  await vi.waitFor(
    () => {
      expect({ prompts: real.prompts, requests: real.requests }).toEqual({
        prompts: model.prompts,
        requests: model.requests,
      });
      if (model.end === undefined) expect(real.cli.prompts).toEqual(openPrompts(model).map((index) => `p${index}`));
    },
    { timeout: 10_000, interval: 1 },
  );
  expect(real.read).toEqual(real.cli.written.slice(0, real.read.length));
}

type Command = fc.AsyncCommand<Model, Real>;

/** @param change What the command does to the model, and to the session. */
function command(
  name: string,
  change: (model: Model, real: Real) => void,
  isPossible: (model: Model) => boolean = () => true,
): Command {
  return {
    check: isPossible,
    run: async (model, real) => {
      change(model, real);
      await agree(model, real);
    },
    toString: () => name,
  };
}

const send = command("send", (model, real) => {
  model.isLastError &&= model.end !== undefined;
  model.prompts.push(model.end ?? open);
  real.send("go");
});

const sendWhatIsNoFrame = command("send what is no frame", (model, real) => {
  model.prompts.push(model.end ?? "REINS_FRAME_ENCODE");
  real.send(1n);
});

const request = command("request", (model, real) => {
  model.requests.push(model.end ?? "answered");
  real.request((client) => client.request("mcp_status"));
});

const interrupt = command("interrupt", (model, real) => {
  const [atWork] = openPrompts(model);
  if (atWork !== undefined) {
    model.prompts[atWork] = "error_during_execution";
    model.isLastError = openPrompts(model).length === 0;
  }
  model.requests.push(model.end ?? "answered");
  real.request((client) => client.interrupt());
});

const cancelLast = command(
  "cancel the last prompt",
  (model, real) => {
    const waiting = openPrompts(model).slice(1);
    const last = model.prompts.length - 1;
    if (waiting.includes(last)) model.prompts[last] = "REINS_TURN_ENDED";
    const turn = real.turns[last];
    if (turn === undefined) return;
    model.requests.push(model.end ?? "answered");
    real.request(() => turn.cancel());
  },
  ({ prompts }) => prompts.length > 0,
);

const finishTurn = command(
  "the CLI finishes a turn",
  (model, real) => {
    const [atWork = 0] = openPrompts(model);
    model.prompts[atWork] = `r${atWork}`;
    real.cli.finishTurn({ subtype: "success", result: `r${atWork}` });
  },
  (model) => openPrompts(model).length > 0,
);

const readSome = (count: number): Command => command(`read ${count}`, (_, real) => real.readSome(count));

const close = command("close", (model, real) => {
  endAll(model, model.end ?? "REINS_SESSION_CLOSED");
  void real.client.close();
});

const exit = (code: number): Command =>
  command(
    `the CLI exits with ${code}`,
    (model, real) => {
      const badExit = model.isLastError ? "REINS_RESULT" : "REINS_CLI_EXIT";
      endAll(model, code === 0 ? "REINS_SESSION_CLOSED" : badExit);
      real.cli.exit(code);
      // Waits until the client has seen it: a close that comes before that is what ends the session.
      model.requests.push(String(model.end));
      real.request((client) => client.request("mcp_status"));
    },
    // Before the start there is none.
    ({ end, prompts, requests }) => end === undefined && prompts.length + requests.length > 0,
  );

const most = [send, request, interrupt, cancelLast, finishTurn].map((one) => fc.constant(one));
const anyCommand = fc.oneof(
  ...most.map((arbitrary) => ({ arbitrary, weight: 6 })),
  { arbitrary: fc.constant(sendWhatIsNoFrame), weight: 2 },
  { arbitrary: fc.nat({ max: 6 }).map((count) => readSome(count + 1)), weight: 4 },
  { arbitrary: fc.constant(close), weight: 1 },
  { arbitrary: fc.constantFrom(0, 1).map(exit), weight: 1 },
);

test("a Client does what the model says, whatever its callers do one after another", { timeout: 600_000 }, async () => {
  const property = fc.asyncProperty(fc.commands([anyCommand], { maxCommands: 30 }), async (commands) => {
    const real = new Real();
    const model: Model = { prompts: [], requests: [], end: undefined, isLastError: false };
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await real.client.close();
    endAll(model, model.end ?? "REINS_SESSION_CLOSED");
    await agree(model, real);
    await Promise.all(real.readers);
  });
  await fc.assert(property, { numRuns });
});

test("calls that are made at once settle, each once and with an answer or a typed error, whatever comes between", {
  timeout: 600_000,
}, async () => {
  const acts: Readonly<Record<string, (real: Real) => void>> = {
    send: (real) => real.send("go"),
    "send what is no frame": (real) => real.send(1n),
    request: (real) => real.request((client) => client.request("mcp_status")),
    "request with a deadline": (real) => real.request((client) => client.request("mcp_status", {}, { timeoutMs: 1 })),
    interrupt: (real) => real.request((client) => client.interrupt()),
    connect: (real) => real.request((client) => client.connect()),
    read: (real) => real.readSome(2),
    "finish turn": (real) => real.cli.finishTurn({ subtype: "success", result: "done" }),
    close: (real) => real.request((client) => client.close()),
    exit: (real) => real.cli.exit(0),
  };
  const allowed =
    /^(answered|done|error_during_execution|REINS_(SESSION_CLOSED|CONTROL_TIMEOUT|FRAME_ENCODE|TURN_ENDED))$/;
  const anyBursts = fc.array(fc.array(fc.constantFrom(...Object.keys(acts)), { maxLength: 8 }), { maxLength: 5 });
  await using leaks = startLeakCheck();
  const property = fc.asyncProperty(anyBursts, async (bursts) => {
    const real = new Real();
    for (const burst of bursts) {
      for (const name of burst) acts[name]?.(real);
      // Something of it happens before the next ones.
      await Promise.resolve();
    }
    await real.client.close();
    await Promise.all(real.readers);
    await vi.waitFor(() => expect([...real.prompts, ...real.requests]).not.toContain(open), { timeout: 10_000 });
    for (const fate of [...real.prompts, ...real.requests]) expect(fate).toMatch(allowed);
    expect(real.read).toEqual(real.cli.written.slice(0, real.read.length));
  });
  await fc.assert(property, { numRuns: numRuns * 2 });
  await leaks.assertClean();
});
