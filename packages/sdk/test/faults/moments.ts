import type { HookOutput } from "@reins/messages";
import type { CliStep } from "@reins/testkit";
import { createToolServer, type Options, tool } from "../../src/index.ts";

/** A moment of a session at which something goes wrong. */
export interface Moment {
  readonly name: string;
  /** How far the session has come, for readers of the page. */
  readonly says: string;
  /** What the CLI does up to the moment. */
  readonly before: readonly CliStep[];
  /** What it does from there on when nothing is wrong. It ends by itself behind that. */
  readonly after: readonly CliStep[];
  /** What is open at the moment: the host's request, or the question of the CLI that a callback is about to answer. */
  readonly open?: "initialize" | "interrupt" | "callback";
  /** What this moment needs of the host. `answer` settles when the callback may answer, or is withdrawn. */
  readonly options?: (answer: (signal: AbortSignal | undefined) => Promise<void>) => Options;
  /** The CLI's answer to the request of the host that is open, or to the last one that was; or its question once more. */
  readonly again?: CliStep;
}

const session_id = "11111111-1111-4111-8111-111111111111";

/** Sent behind a fault that a session survives: callbacks that are open may answer then. */
export const passed = "fault_passed";

const asked: CliStep = {
  do: "read",
  match: { type: "control_request", "request.subtype": "initialize" },
  as: "initialize",
};
const prompted: CliStep = { do: "read", match: { type: "user" } };
const begun = write({ type: "system", subtype: "init", session_id, tools: [] });
const wentBy = write({ type: "system", subtype: passed, session_id });
const assistant = {
  type: "assistant",
  session_id,
  parent_tool_use_id: null,
  message: { role: "assistant", content: [{ type: "text", text: "It is 42." }] },
};
const result = write({ type: "result", subtype: "success", is_error: false, session_id, result: "done" });
const inputEnds: CliStep = { do: "readEnd" };

const started = [asked, answerTo("initialize"), prompted];
const running = [...started, begun];
const turn = [write(assistant), result, inputEnds];
const [firstHalf, secondHalf] = halves(`${JSON.stringify(assistant)}\n`);

export const moments: readonly Moment[] = [
  {
    name: "spawn",
    says: "The process runs and has read nothing.",
    before: [],
    after: [...running, ...turn],
    open: "initialize",
  },
  {
    name: "initialize",
    says: "It has read the initialize request, and not answered it. The prompt waits for the answer, as there are hooks.",
    before: [asked],
    after: [answerTo("initialize"), prompted, begun, ...turn],
    open: "initialize",
    options: () => ({ hooks: { Stop: [{ hooks: [() => ({})] }] } }),
    again: answerTo("initialize"),
  },
  {
    name: "first frame",
    says: "It has read the prompt, and is about to write its first message.",
    before: started,
    after: [begun, ...turn],
    again: answerTo("initialize"),
  },
  {
    name: "mid frame",
    says: "It has written half of a message.",
    before: [...running, { do: "text", text: firstHalf }],
    after: [{ do: "text", text: secondHalf }, result, inputEnds],
  },
  {
    name: "permission open",
    says: "It has asked for a permission, and `canUseTool` has not answered.",
    ...question(
      { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "toolu_1" },
      (answer) => ({
        canUseTool: async (_, input, { signal }) => {
          await answer(signal);
          return { behavior: "allow", updatedInput: input };
        },
      }),
    ),
  },
  {
    name: "hook open",
    says: "It has called a `PreToolUse` hook that has not returned.",
    ...question(
      {
        subtype: "hook_callback",
        callback_id: "{{initialize.request.hooks.PreToolUse.0.hookCallbackIds.0}}",
        input: { hook_event_name: "PreToolUse", session_id, tool_name: "Bash", tool_input: {} },
        tool_use_id: "toolu_1",
      },
      (answer) => {
        const hook = async (_: unknown, __: unknown, { signal }: { signal: AbortSignal }): Promise<HookOutput> => {
          await answer(signal);
          return {};
        };
        return { hooks: { PreToolUse: [{ hooks: [hook] }] } };
      },
    ),
  },
  {
    name: "tool call open",
    says: "It has called a tool of this process that has not returned.",
    ...question(
      {
        subtype: "mcp_message",
        server_name: "own",
        message: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "slow", arguments: {} } },
      },
      (answer) => {
        const slow = tool("slow", "Takes its time.", {}, async (_, { signal }) => {
          await answer(signal);
          return "done";
        });
        return { mcpServers: { own: createToolServer({ name: "own", tools: [slow] }) } };
      },
    ),
  },
  {
    name: "interrupt sent",
    says: "It has read the request to interrupt the turn, and not answered it.",
    before: [...running, { do: "read", match: { "request.subtype": "interrupt" }, as: "interrupt" }],
    after: [answerTo("interrupt"), ...turn],
    open: "interrupt",
    again: answerTo("interrupt"),
  },
  {
    name: "result",
    says: "It has written the result, and its input is open.",
    before: [...running, write(assistant), result],
    after: [inputEnds],
    again: answerTo("initialize"),
  },
  {
    name: "teardown",
    says: "The host has ended the input, and the process should exit.",
    before: [...running, ...turn],
    after: [],
    again: answerTo("initialize"),
  },
];

/** A moment at which the CLI waits for the answer of a callback. */
function question(
  request: Readonly<Record<string, unknown>>,
  options: NonNullable<Moment["options"]>,
): Omit<Moment, "name" | "says"> {
  const ask = write({ type: "control_request", request_id: "q1", request });
  return {
    before: [...running, ask],
    after: [wentBy, { do: "read", match: { type: "control_response", "response.request_id": "q1" } }, ...turn],
    open: "callback",
    options,
    again: ask,
  };
}

function write(frame: Readonly<Record<string, unknown>>): CliStep {
  return { do: "write", frame };
}

/** The answer to a request that a step kept. */
function answerTo(name: string): CliStep {
  const response = { subtype: "success", request_id: `{{${name}.request_id}}`, response: {} };
  return write({ type: "control_response", response });
}

function halves(text: string): [string, string] {
  return [text.slice(0, text.length / 2), text.slice(text.length / 2)];
}
