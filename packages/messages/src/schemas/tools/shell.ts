import type {
  BashInput,
  BashOutput,
  GitOperation,
  MonitorInput,
  MonitorOutput,
  TaskStopInput,
  TaskStopOutput,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";

/** Schema of {@link BashInput}. */
export const bashInputSchema: z.ZodType<BashInput> = loose({
  command: z.string(),
  timeout: z.number().exactOptional(),
  description: z.string().exactOptional(),
  run_in_background: z.boolean().exactOptional(),
  dangerouslyDisableSandbox: z.boolean().exactOptional(),
});

/** Schema of {@link GitOperation}. */
export const gitOperationSchema: z.ZodType<GitOperation> = loose({
  commit: z
    .looseObject({
      sha: z.string(),
      kind: open("committed", "amended", "cherry-picked"),
      branch: z.string().exactOptional(),
    })
    .exactOptional(),
  push: z.looseObject({ branch: z.string() }).exactOptional(),
  branch: z.looseObject({ ref: z.string(), action: open("merged", "rebased") }).exactOptional(),
  pr: z
    .looseObject({
      number: z.number(),
      url: z.string().exactOptional(),
      action: open(
        "created",
        "edited",
        "merged",
        "commented",
        "closed",
        "reopened",
        "ready",
        "draft",
        "auto-merge-enabled",
        "auto-merge-disabled",
      ),
    })
    .exactOptional(),
});

/** Schema of {@link BashOutput}. */
export const bashOutputSchema: z.ZodType<BashOutput> = loose({
  stdout: z.string(),
  stderr: z.string(),
  interrupted: z.boolean(),
  isImage: z.boolean().exactOptional(),
  noOutputExpected: z.boolean().exactOptional(),
  backgroundTaskId: z.string().exactOptional(),
  backgroundedByUser: z.boolean().exactOptional(),
  timedOutAfterMs: z.number().exactOptional(),
  backgroundCwdHint: z.string().exactOptional(),
  backgroundEndsWithFinalResponse: z.literal(true).exactOptional(),
  backgroundWakesOwner: z.literal(true).exactOptional(),
  dangerouslyDisableSandbox: z.boolean().exactOptional(),
  returnCodeInterpretation: z.string().exactOptional(),
  structuredContent: z.array(z.unknown()).exactOptional(),
  rawOutputPath: z.string().exactOptional(),
  persistedOutputPath: z.string().exactOptional(),
  persistedOutputSize: z.number().exactOptional(),
  staleReadFileStateHint: z.string().exactOptional(),
  ghRateLimitHint: z.string().exactOptional(),
  gitOperation: gitOperationSchema.exactOptional(),
});

/** Schema of {@link MonitorInput}. */
export const monitorInputSchema: z.ZodType<MonitorInput> = loose({
  description: z.string(),
  timeout_ms: z.number(),
  command: z.string().exactOptional(),
  ws: z.looseObject({ url: z.string(), protocols: z.array(z.string()).exactOptional() }).exactOptional(),
});

/** Schema of {@link MonitorOutput}. */
export const monitorOutputSchema: z.ZodType<MonitorOutput> = loose({
  taskId: z.string(),
  timeoutMs: z.number(),
  persistent: z.boolean().exactOptional(),
  keptInSandboxByCheck: z.boolean().exactOptional(),
});

/** Schema of {@link TaskStopInput}. */
export const taskStopInputSchema: z.ZodType<TaskStopInput> = loose({
  task_id: z.string().exactOptional(),
  shell_id: z.string().exactOptional(),
});

/** Schema of {@link TaskStopOutput}. */
export const taskStopOutputSchema: z.ZodType<TaskStopOutput> = loose({
  message: z.string(),
  task_id: z.string(),
  task_type: z.string(),
  command: z.string().exactOptional(),
});
