import type * as official from "@anthropic-ai/claude-agent-sdk";
import { expectTypeOf, test } from "vitest";
import type * as ours from "../src/index.ts";

// Checked by the compiler; at run time there is nothing to do. That whole programs compile with the other import is in drop-in.test.ts;
// here types of both packages meet, which only happens where a program changes one import after the other.

/**
 * What differs on purpose: the official callback may give `null` for an answer that goes another way, which is a denial with ours, so that
 * its type refuses it. And the values of hook inputs are open, as a later CLI may say more: a hook of ours can be told what an official
 * one does not know.
 */
type SameOptions = Omit<official.Options, "canUseTool" | "hooks">;

test("the official options are ours", () => {
  expectTypeOf<SameOptions>().toExtend<ours.Options>();
  expectTypeOf<Required<SameOptions>>().toExtend<ours.Options>();
});

test("each official option has a name here", () => {
  expectTypeOf<Exclude<keyof official.Options, keyof ours.Options>>().toEqualTypeOf<never>();
});

test("official prompts are ours", () => {
  expectTypeOf<Parameters<typeof official.query>[0]["prompt"]>().toExtend<ours.Prompt>();
});

test("callbacks and what is handed in have the official types", () => {
  type CanUseTool = (
    ...args: Parameters<official.CanUseTool>
  ) => Promise<NonNullable<Awaited<ReturnType<official.CanUseTool>>>>;
  expectTypeOf<CanUseTool>().toExtend<ours.CanUseTool>();
  expectTypeOf<official.HookCallback>().toExtend<ours.HookCallback>();
  expectTypeOf<official.HookCallbackMatcher>().toExtend<ours.HookCallbackMatcher>();
  expectTypeOf<official.OnElicitation>().toExtend<ours.OnElicitation>();
  expectTypeOf<official.OnUserDialog>().toExtend<ours.OnUserDialog>();
  expectTypeOf<official.AgentDefinition>().toExtend<ours.AgentDefinition>();
  expectTypeOf<official.SessionStore>().toExtend<ours.SessionStore>();
});

type Methods = { readonly [Name in Extract<keyof official.Query, string>]: official.Query[Name] };
type Mine<Name> = Name extends keyof ours.Query ? ours.Query[Name] : never;

test("each official method of a query has a name here", () => {
  expectTypeOf<Exclude<keyof Methods, keyof ours.Query>>().toEqualTypeOf<never>();
});

test("the methods of our query take what the official ones take", () => {
  type Refused = {
    [Name in keyof Methods]: Parameters<Methods[Name]> extends Parameters<Mine<Name>> ? never : Name;
  }[keyof Methods];
  expectTypeOf<Refused>().toEqualTypeOf<never>();
});

test("the methods of our query give what the official ones give, but for values that a later CLI may add", () => {
  type Different = {
    [Name in keyof Methods]: ReturnType<Mine<Name>> extends ReturnType<Methods[Name]> ? never : Name;
  }[keyof Methods];
  type Messages = "next" | "return" | "throw";
  type Answers =
    | "accountInfo"
    | "getContextUsage"
    | "initializationResult"
    | "mcpServerStatus"
    | "readFile"
    | "reinitialize"
    | "reloadPlugins"
    | "supportedModels"
    | "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET";
  // Where the official one gives nothing, ours can be awaited.
  type Awaitable = "close";
  expectTypeOf<Different>().toEqualTypeOf<Messages | Answers | Awaitable>();
});

test("messages are told apart by their type", () => {
  expectTypeOf<ours.SDKMessage>().not.toBeAny();
  const textOf = (message: ours.SDKMessage): string => {
    switch (message.type) {
      case "assistant":
        expectTypeOf(message).toEqualTypeOf<ours.SDKAssistantMessage>();
        return message.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      case "result":
        return message.subtype === "success" ? message.result : message.errors.join();
      case "system":
        return message.subtype === "init" ? message.session_id : "";
      case "stream_event":
        return message.event.type;
      default:
        return message.type;
    }
  };
  expectTypeOf(textOf).returns.toBeString();
});
