import { expectTypeOf, test } from "vitest";
import type { AssistantMessage } from "./assistant.ts";
import type { AssistantBlock, TextBlock, ToolUseBlock, UnknownBlock } from "./content-blocks.ts";
import type { KnownMessage, Message, UnknownMessage, UnknownSystemMessage, UnknownTypeMessage } from "./message.ts";
import type { ResultErrorMessage, ResultMessage, ResultSuccessMessage } from "./result.ts";
import type { StreamEventMessage, TextDelta } from "./stream-event.ts";
import type { SystemInitMessage } from "./system/init.ts";
import type { SystemMessage } from "./system/system-message.ts";
import type { UserMessage, UserReplayMessage } from "./user.ts";

// The functions are never called: what is tested is that they compile.

test("the union is neither any nor unknown, and has what users read from every message", () => {
  expectTypeOf<Message>().not.toBeAny();
  expectTypeOf<Message>().not.toBeUnknown();
  expectTypeOf<Message["type"]>().toExtend<string>();
  expectTypeOf<Message["session_id"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<KnownMessage["session_id"]>().toEqualTypeOf<string>();
  expectTypeOf<KnownMessage["uuid"]>().toEqualTypeOf<string>();
});

test("type and subtype narrow to one message", () => {
  (message: Message): void => {
    if (message.type === "assistant") expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
    if (message.type === "user") expectTypeOf(message).toEqualTypeOf<UserMessage | UserReplayMessage>();
    if (message.type === "user" && message.isReplay) expectTypeOf(message).toEqualTypeOf<UserReplayMessage>();
    if (message.type === "result") expectTypeOf(message).toEqualTypeOf<ResultMessage>();
    if (message.type === "result" && message.subtype === "success") {
      expectTypeOf(message).toEqualTypeOf<ResultSuccessMessage>();
      expectTypeOf(message.result).toEqualTypeOf<string>();
    }
    if (message.type === "result" && message.subtype !== "success") {
      expectTypeOf(message).toEqualTypeOf<ResultErrorMessage>();
    }
    if (message.type === "system" && message.subtype === "init") {
      expectTypeOf(message).toEqualTypeOf<SystemInitMessage>();
    }
    if ("result" in message) expectTypeOf(message.result).toEqualTypeOf<string>();
  };
});

test("the default branches of switches are the unknown ones", () => {
  (message: Message): void => {
    switch (message.type) {
      case "assistant":
      case "user":
      case "result":
      case "stream_event":
      case "tool_progress":
      case "tool_use_summary":
      case "rate_limit_event":
      case "auth_status":
      case "command_lifecycle":
      case "conversation_reset":
      case "prompt_suggestion":
      case "active_goal":
      case "autocompact_state":
      case "api_metrics":
      case "apply_flag_settings":
      case "attachment":
      case "compact_progress":
      case "hint_clears":
      case "open_message_selector":
      case "os_notification":
      case "refusal_continuation":
      case "response_length":
      case "set_expanded_view":
      case "set_in_progress_tool_use_ids":
      case "stream_mode":
      case "tombstone":
        expectTypeOf(message).toExtend<KnownMessage>();
        break;
      case "system":
        expectTypeOf<Extract<typeof message, UnknownMessage>>().toEqualTypeOf<UnknownSystemMessage>();
        expectTypeOf<SystemMessage>().toExtend<typeof message>();
        break;
      default:
        expectTypeOf(message).toEqualTypeOf<UnknownTypeMessage>();
    }
  };
});

test("blocks and deltas narrow, and the rest of them is unknown", () => {
  (block: AssistantBlock, message: StreamEventMessage): void => {
    if (block.type === "text") expectTypeOf(block).toEqualTypeOf<TextBlock>();
    else if (block.type === "tool_use") expectTypeOf(block).toEqualTypeOf<ToolUseBlock>();
    else expectTypeOf<UnknownBlock>().toExtend<typeof block>();
    if (message.event.type === "content_block_delta" && message.event.delta.type === "text_delta") {
      expectTypeOf(message.event.delta).toEqualTypeOf<TextDelta>();
    }
  };
});

test("enumerations of the CLI take known values and later ones", () => {
  (init: SystemInitMessage): void => {
    expectTypeOf<"a mode of tomorrow">().toExtend<typeof init.permissionMode>();
    expectTypeOf<"plan">().toExtend<typeof init.permissionMode>();
  };
});
