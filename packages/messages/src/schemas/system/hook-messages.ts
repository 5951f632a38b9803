import type { HookProgressMessage, HookResponseMessage, HookRun, HookStartedMessage } from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { open } from "../open.ts";
import { shape } from "../pinned.ts";
import { system } from "./system-base.ts";

/** Fields of {@link HookRun}. */
const hookRun: Shape<HookRun> = shape({ hook_id: z.string(), hook_name: z.string(), hook_event: z.string() });

/** Schema of {@link HookStartedMessage}. */
export const hookStartedMessageSchema: z.ZodType<HookStartedMessage> = system("hook_started", {
  ...hookRun,
  origin: z.string().exactOptional(),
  label: z.string().exactOptional(),
  plugin_name: z.string().exactOptional(),
});

/** Schema of {@link HookProgressMessage}. */
export const hookProgressMessageSchema: z.ZodType<HookProgressMessage> = system("hook_progress", {
  ...hookRun,
  stdout: z.string(),
  stderr: z.string(),
  output: z.string(),
  backgrounded: z.literal(true).exactOptional(),
});

/** Schema of {@link HookResponseMessage}. */
export const hookResponseMessageSchema: z.ZodType<HookResponseMessage> = system("hook_response", {
  ...hookRun,
  stdout: z.string(),
  stderr: z.string(),
  output: z.string(),
  exit_code: z.number().exactOptional(),
  outcome: open("success", "error", "cancelled"),
});
