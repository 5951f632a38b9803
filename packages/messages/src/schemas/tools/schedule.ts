import type {
  CronCreateInput,
  CronCreateOutput,
  CronDeleteInput,
  CronDeleteOutput,
  CronListOutput,
  ScheduleWakeupInput,
  ScheduleWakeupOutput,
} from "@reins/messages";
import * as z from "zod";
import { loose } from "../pinned.ts";

/** Schema of {@link CronCreateInput}. */
export const cronCreateInputSchema: z.ZodType<CronCreateInput> = loose({
  cron: z.string(),
  prompt: z.string(),
  recurring: z.boolean().exactOptional(),
  durable: z.boolean().exactOptional(),
});

/** Schema of {@link CronCreateOutput}. */
export const cronCreateOutputSchema: z.ZodType<CronCreateOutput> = loose({
  id: z.string(),
  humanSchedule: z.string(),
  recurring: z.boolean(),
  durable: z.boolean().exactOptional(),
  nextFireAt: z.number().exactOptional(),
});

/** Schema of {@link CronDeleteInput}. */
export const cronDeleteInputSchema: z.ZodType<CronDeleteInput> = loose({ id: z.string() });

/** Schema of {@link CronDeleteOutput}. */
export const cronDeleteOutputSchema: z.ZodType<CronDeleteOutput> = loose({
  id: z.string(),
  endedLoopWakeup: z.literal(true).exactOptional(),
});

/** Schema of {@link CronListOutput}. */
export const cronListOutputSchema: z.ZodType<CronListOutput> = loose({
  jobs: z.array(
    z.looseObject({
      id: z.string(),
      cron: z.string(),
      humanSchedule: z.string(),
      prompt: z.string(),
      recurring: z.boolean().exactOptional(),
      durable: z.boolean().exactOptional(),
      nextFireAt: z.number().exactOptional(),
    }),
  ),
});

/** Schema of {@link ScheduleWakeupInput}. */
export const scheduleWakeupInputSchema: z.ZodType<ScheduleWakeupInput> = loose({
  delaySeconds: z.number().exactOptional(),
  reason: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  stop: z.boolean().exactOptional(),
  noop: z.boolean().exactOptional(),
});

/** Schema of {@link ScheduleWakeupOutput}. */
export const scheduleWakeupOutputSchema: z.ZodType<ScheduleWakeupOutput> = loose({
  scheduledFor: z.number(),
  clampedDelaySeconds: z.number(),
  wasClamped: z.boolean(),
  stopped: z.boolean().exactOptional(),
  cancelledWakeups: z.number().exactOptional(),
});
