import { describe, expect, test } from "vitest";
import { Conversation } from "./conversation.ts";
import type { TranscriptEntry } from "./protocol.ts";

const user = (content: TranscriptEntry["content"]): TranscriptEntry => ({ role: "user", content });
const assistant = (content: TranscriptEntry["content"]): TranscriptEntry => ({ role: "assistant", content });
const text = (text: string): { type: "text"; text: string } => ({ type: "text", text });

/** A session with one turn, in which the model wrote two texts around a tool. */
function oneTurn(): Conversation {
  const conversation = new Conversation([]);
  conversation.prompted("What is\n2 + 40?");
  conversation.answered("Let me see.");
  conversation.answered("It is 42.");
  return conversation;
}

const next = user("And 1 more?");
const question = user("What is 2 + 40?");

describe("the session goes on when the transcript", () => {
  test.each<readonly [string, readonly TranscriptEntry[]]>([
    ["has the last text of each turn", [question, assistant("It is 42."), next]],
    ["has all texts in one", [question, assistant("Let me see.It is 42."), next]],
    ["has all texts in blocks of their own", [question, assistant([text("Let me see."), text("It is 42.")]), next]],
    ["has all texts in entries of their own", [question, assistant("Let me see."), assistant("It is 42."), next]],
    ["has other white space", [question, assistant("It  is 42.\n"), next]],
    [
      "has tool uses, results and thinking",
      [
        question,
        assistant([{ type: "thinking", thinking: "Hm." }, text("Let me see."), { type: "tool_use", id: "t" }]),
        user([{ type: "tool_result", tool_use_id: "t", content: "42" }]),
        assistant("It is 42."),
        next,
      ],
    ],
  ])("%s", (_, transcript) => {
    expect(oneTurn().plan(transcript)).toEqual({ kind: "continue", content: [text("And 1 more?")] });
  });
});

describe("another session is begun when the transcript", () => {
  test.each<readonly [string, readonly TranscriptEntry[]]>([
    ["has another answer", [question, assistant("It is 43."), next]],
    ["has another question", [user("What is 3 + 40?"), assistant("It is 42."), next]],
    ["has not come so far", [question]],
    ["has gone further", [question, assistant("It is 42."), user("a"), assistant("b"), next]],
    ["leaves the answer out", [question, next]],
    [
      "has another image",
      [
        user([text("What is 2 + 40?"), { type: "image", source: { type: "url", url: "x" } }]),
        assistant("It is 42."),
        next,
      ],
    ],
  ])("%s", (_, transcript) => {
    const plan = oneTurn().plan(transcript);
    expect(plan.kind).toBe("restart");
  });

  test("begins with nothing to remember", () => {
    expect(oneTurn().plan([user("Anew.")])).toEqual({ kind: "restart", history: [], content: [text("Anew.")] });
  });
});

test("a new session takes a prompt without a past, and one with a past is begun with it", () => {
  expect(new Conversation([]).plan([next])).toMatchObject({ kind: "continue" });
  const plan = new Conversation([]).plan([question, assistant("It is 42."), next]);
  expect(plan).toEqual({
    kind: "restart",
    history: [user([text("What is 2 + 40?")]), assistant([text("It is 42.")])],
    content: [text("And 1 more?")],
  });
  const begun = new Conversation(plan.kind === "restart" ? plan.history : []);
  expect(begun.plan([question, assistant("It is 42."), next])).toMatchObject({ kind: "continue" });
});

test("of a session that was resumed nobody knows how it began", () => {
  expect(new Conversation(undefined).plan([next])).toMatchObject({ kind: "restart", history: [] });
});

test.each<readonly [string, readonly TranscriptEntry[]]>([
  ["begins with the model", [assistant("Hello."), next]],
  ["ends with the model", [question, assistant("It is 42.")]],
  ["says nothing", [user(" \n")]],
  ["holds nothing that can be said", [user([{ type: "hologram" }])]],
])("a transcript that %s is none", (_, transcript) => {
  expect(oneTurn().plan(transcript)).toMatchObject({ kind: "invalid" });
});
