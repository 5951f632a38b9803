import {
  type AsyncHookOutput,
  type HookEvent,
  type HookOutput,
  hookEvents,
  type SyncHookOutput,
} from "@reins/messages";
import * as z from "zod";
import { loose, pinned } from "../pinned.ts";
import { hookSpecificOutputSchema, hookSpecificOutputSchemas } from "./hook-specific-output.ts";

const syncHookOutput = {
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  decision: z.enum(["approve", "block"]).optional(),
  reason: z.string().optional(),
  systemMessage: z.string().optional(),
  terminalSequence: z.string().optional(),
};

/** Schema of {@link SyncHookOutput}, of any event. */
export const syncHookOutputSchema: z.ZodType<SyncHookOutput> = loose({
  ...syncHookOutput,
  hookSpecificOutput: hookSpecificOutputSchema.optional(),
});

/** Schema of {@link AsyncHookOutput}. */
export const asyncHookOutputSchema: z.ZodType<AsyncHookOutput> = loose({
  async: z.literal(true),
  asyncTimeout: z.number().optional(),
});

/** Schema of {@link HookOutput}, of any event. */
export const hookOutputSchema: z.ZodType<HookOutput> = pinned(z.union([asyncHookOutputSchema, syncHookOutputSchema]));

/** Schemas of {@link HookOutput}, by event. */
export const hookOutputSchemas: { readonly [Event in HookEvent]: z.ZodType<HookOutput<Event>> } = Object.fromEntries(
  hookEvents.map((event) => [event, outputOf(event)]),
  // The list has every event, and each schema is made from its own.
) as { [Event in HookEvent]: z.ZodType<HookOutput<Event>> };

function outputOf(event: HookEvent): z.ZodType {
  const specifics: Partial<Readonly<Record<HookEvent, z.ZodType>>> = hookSpecificOutputSchemas;
  const hookSpecificOutput = specifics[event] ?? z.never();
  return z.union([
    asyncHookOutputSchema,
    z.looseObject({ ...syncHookOutput, hookSpecificOutput: hookSpecificOutput.optional() }),
  ]);
}
