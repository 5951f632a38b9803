import type {
  AskUserQuestionInput,
  AskUserQuestionOutput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
  QuestionAnnotation,
  QuestionOption,
  UserQuestion,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";

/** Schema of {@link QuestionOption}. */
export const questionOptionSchema: z.ZodType<QuestionOption> = loose({
  label: z.string(),
  description: z.string(),
  preview: z.string().exactOptional(),
});

/** Schema of {@link UserQuestion}. */
export const userQuestionSchema: z.ZodType<UserQuestion> = loose({
  question: z.string(),
  header: z.string(),
  options: z.array(questionOptionSchema),
  multiSelect: z.boolean(),
});

/** Schema of {@link QuestionAnnotation}. */
export const questionAnnotationSchema: z.ZodType<QuestionAnnotation> = loose({
  preview: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  unanswered: open("skipped", "replied_in_chat", "dismissed").exactOptional(),
});

/** Schema of {@link AskUserQuestionInput}. */
export const askUserQuestionInputSchema: z.ZodType<AskUserQuestionInput> = loose({
  questions: z.array(userQuestionSchema),
  answers: z.record(z.string(), z.string()).exactOptional(),
  annotations: z.record(z.string(), questionAnnotationSchema).exactOptional(),
  metadata: z.looseObject({ source: z.string().exactOptional() }).exactOptional(),
});

/** Schema of {@link AskUserQuestionOutput}. */
export const askUserQuestionOutputSchema: z.ZodType<AskUserQuestionOutput> = loose({
  questions: z.array(userQuestionSchema),
  answers: z.record(z.string(), z.string()),
  response: z.string().exactOptional(),
  annotations: z.record(z.string(), questionAnnotationSchema).exactOptional(),
  afkTimeoutMs: z.number().exactOptional(),
});

/** Schema of {@link ExitPlanModeInput}. */
export const exitPlanModeInputSchema: z.ZodType<ExitPlanModeInput> = loose({
  plan: z.string().exactOptional(),
  allowedPrompts: z.array(z.looseObject({ tool: z.string(), prompt: z.string() })).exactOptional(),
});

/** Schema of {@link ExitPlanModeOutput}. */
export const exitPlanModeOutputSchema: z.ZodType<ExitPlanModeOutput> = loose({
  plan: z.string().nullable(),
  isAgent: z.boolean(),
  filePath: z.string().exactOptional(),
  hasTaskTool: z.boolean().exactOptional(),
  planWasEdited: z.boolean().exactOptional(),
  awaitingLeaderApproval: z.boolean().exactOptional(),
  requestId: z.string().exactOptional(),
});

/** Schema of {@link EnterPlanModeOutput}. */
export const enterPlanModeOutputSchema: z.ZodType<EnterPlanModeOutput> = loose({ message: z.string() });
