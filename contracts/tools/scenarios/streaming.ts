import { text, thinking, toolUse } from "@reins/testkit";
import { hostUuid, type Scenario } from "../scenario.ts";
import { type RawBlock, rawReply } from "./raw-reply.ts";

/** Partial messages, and results of tools of every form. */
export const streaming: readonly Scenario[] = [
  {
    name: "stream-partial-messages",
    shows:
      "--include-partial-messages: thinking, text and tool input in deltas, thinking_tokens, status requesting; two turns",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--include-partial-messages"],
    play: () => ({
      model: [
        [
          thinking("Let me ", "think."),
          text("I will ", "run it."),
          toolUse("Bash", { command: "echo hello", description: "Say hello" }),
        ],
        text("Finished."),
        [thinking("Hm."), text("Again.")],
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell", { uuid: hostUuid(1) });
        await cli.turn("And now?");
      },
    }),
  },
  {
    name: "stream-thinking",
    shows: "thinking without partial messages: one assistant frame for each block of a reply",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [[thinking("Let me think."), text("An answer.")]],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "stream-odd-blocks",
    shows:
      "blocks and deltas beyond the usual: redacted thinking, citations, a server tool and its result, one of an unknown type",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: [rawReply({ id: "msg_odd", blocks: oddBlocks(), end: { stop_reason: "end_turn" } })],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "tool-files",
    shows: "tool_use_result of Write, Read, Edit, Glob and Grep",
    argv: ["--setting-sources", "", "--tools", "Read,Write,Edit,Glob,Grep", "--permission-mode", "acceptEdits"],
    play: () => ({
      model: [
        toolUse("Write", { file_path: "made.txt", content: "one\ntwo\n" }),
        toolUse("Read", { file_path: "made.txt" }),
        toolUse("Edit", { file_path: "made.txt", old_string: "two", new_string: "three" }),
        toolUse("Glob", { pattern: "*.txt" }),
        toolUse("Grep", { pattern: "three", output_mode: "content" }),
        text("Finished."),
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Use your tools");
      },
    }),
  },
  {
    name: "tool-errors",
    shows:
      "a missing file, a tool that does not exist, wrong input, a command that fails, and output that is too long to keep",
    argv: ["--setting-sources", "", "--tools", "Bash,Read", "--allowedTools", "Bash,Read"],
    play: () => ({
      model: [
        toolUse("Read", { file_path: "missing.txt" }),
        toolUse("NoSuchTool", { a: 1 }),
        toolUse("Read", { path: 1 }),
        toolUse("Bash", { command: "echo failed >&2; exit 3", description: "Fail" }),
        toolUse("Bash", { command: "head -c 400000 /dev/zero | tr '\\0' x", description: "Print much" }),
        text("Finished."),
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Use your tools");
      },
    }),
  },
  {
    name: "tool-image",
    shows: "an image and a document in a prompt, replayed; an image that Read gives back",
    argv: ["--setting-sources", "", "--tools", "Read", "--replay-user-messages"],
    files: { "pixel.png": Buffer.from(pixel(), "base64") },
    play: () => ({
      model: [toolUse("Read", { file_path: "pixel.png" }), text("A pixel.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn(
          [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel() } },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "A plain document" } },
          ],
          { uuid: hostUuid(1) },
        );
      },
    }),
  },
  {
    name: "tool-summary",
    shows: "CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: tool_use_summary behind the next assistant message",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    env: { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: "1" },
    play: () => {
      let turns = 0;
      return {
        // The summary is asked of a small model, without tools, beside the next turn.
        model: ({ body }) => {
          if ((body.tools ?? []).length === 0) return text("Said hello");
          turns += 1;
          return turns === 1 ? toolUse("Bash", { command: "echo hello", description: "Say hello" }) : text("Finished.");
        },
        async host(cli) {
          await cli.initialize();
          await cli.turn("Say hello in the shell");
        },
      };
    },
  },
  {
    name: "structured-output",
    shows: "--json-schema: a wrong answer is refused, a right one becomes structured_output of the result",
    argv: ["--setting-sources", "", "--tools", "", "--json-schema", schema()],
    play: () => ({
      model: [toolUse("StructuredOutput", { answer: "wrong" }), toolUse("StructuredOutput", { answer: 42 })],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Answer me");
      },
    }),
  },
  {
    name: "structured-output-retries",
    shows: "the same with wrong answers only: error_max_structured_output_retries",
    argv: ["--setting-sources", "", "--tools", "", "--json-schema", schema()],
    play: () => ({
      model: () => toolUse("StructuredOutput", { answer: "wrong" }),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Answer me");
      },
    }),
  },
];

function oddBlocks(): RawBlock[] {
  const place = {
    type: "char_location",
    document_index: 0,
    document_title: "doc",
    start_char_index: 0,
    end_char_index: 3,
  };
  const found = {
    type: "web_search_result",
    url: "https://example.com",
    title: "site",
    encrypted_content: "e",
    page_age: null,
  };
  return [
    { start: { type: "redacted_thinking", data: "ENC==" } },
    {
      start: { type: "text", text: "" },
      deltas: [
        { type: "text_delta", text: "cited" },
        { type: "citations_delta", citation: { ...place, cited_text: "abc" } },
      ],
    },
    {
      start: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
      deltas: [{ type: "input_json_delta", partial_json: '{"query":"x"}' }],
    },
    { start: { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [found] } },
    { start: { type: "not_known_yet", some: 1 }, deltas: [{ type: "not_known_delta", some: 2 }] },
    { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: "Finished." }] },
  ];
}

function schema(): string {
  return JSON.stringify({ type: "object", properties: { answer: { type: "number" } }, required: ["answer"] });
}

/** A PNG of one pixel, in base64. */
function pixel(): string {
  return "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
}
