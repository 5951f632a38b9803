import { expect, expectTypeOf, test } from "vitest";
import { type HookEvent, hookEvents } from "./hook-event.ts";
import type { HookInput, HookInputs } from "./hook-input.ts";
import type { HookOutput } from "./hook-output.ts";
import type { HookSpecificOutput } from "./hook-specific-output.ts";
import type { PreToolUseHookInput } from "./tool-hook-inputs.ts";

test("all 33 events are listed, once each, and have an input", () => {
  expect(new Set(hookEvents).size).toBe(33);
  expect(hookEvents.length).toBe(33);
  expectTypeOf<keyof HookInputs>().toEqualTypeOf<HookEvent>();
  expectTypeOf<HookInput["hook_event_name"]>().toEqualTypeOf<HookEvent>();
});

test("an input narrows by its event", () => {
  (input: HookInput): void => {
    if (input.hook_event_name === "PreToolUse") expectTypeOf(input).toEqualTypeOf<PreToolUseHookInput>();
  };
  expectTypeOf<HookInput<"PreToolUse">>().toEqualTypeOf<PreToolUseHookInput>();
});

test("an output says only what its event can say, and a typo does not compile", () => {
  const denial: HookOutput<"PreToolUse"> = {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" },
  };
  const noOpinion: HookOutput = {};
  const later: HookOutput = { async: true };
  expect([denial, noOpinion, later]).toHaveLength(3);
  expectTypeOf<HookSpecificOutput<"SessionEnd">>().toBeNever();
  expectTypeOf<HookOutput<"PreToolUse">>().toExtend<HookOutput>();
  const typos: HookOutput[] = [
    // @ts-expect-error: the CLI would pass over it, and let the tool through
    { decision: "deny" },
    // @ts-expect-error: the same
    { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "denied" } },
  ];
  expect(typos).toHaveLength(2);
});
