import type {
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitWorktreeInput,
  ExitWorktreeOutput,
  ReportFindingsInput,
  ReportFindingsOutput,
  ReviewFinding,
  SkillInput,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { open } from "../open.ts";
import { loose, shape } from "../pinned.ts";

/** Schema of {@link EnterWorktreeInput}. */
export const enterWorktreeInputSchema: z.ZodType<EnterWorktreeInput> = loose({
  name: z.string().exactOptional(),
  path: z.string().exactOptional(),
});

/** Schema of {@link EnterWorktreeOutput}. */
export const enterWorktreeOutputSchema: z.ZodType<EnterWorktreeOutput> = loose({
  worktreePath: z.string(),
  worktreeBranch: z.string().exactOptional(),
  message: z.string(),
});

/** Schema of {@link ExitWorktreeInput}. */
export const exitWorktreeInputSchema: z.ZodType<ExitWorktreeInput> = loose({
  action: open("keep", "remove"),
  discard_changes: z.boolean().exactOptional(),
});

/** Schema of {@link ExitWorktreeOutput}. */
export const exitWorktreeOutputSchema: z.ZodType<ExitWorktreeOutput> = loose({
  action: open("keep", "remove"),
  originalCwd: z.string(),
  worktreePath: z.string(),
  worktreeBranch: z.string().exactOptional(),
  tmuxSessionName: z.string().exactOptional(),
  discardedFiles: z.number().exactOptional(),
  discardedCommits: z.number().exactOptional(),
  restoredCwd: z.string().exactOptional(),
  originalCwdMissing: z.boolean().exactOptional(),
  message: z.string(),
});

/** Schema of {@link SkillInput}. */
export const skillInputSchema: z.ZodType<SkillInput> = loose({ skill: z.string(), args: z.string().exactOptional() });

/** Schema of {@link ReviewFinding}. */
export const reviewFindingSchema: z.ZodType<ReviewFinding> = loose({
  file: z.string(),
  line: z.number().exactOptional(),
  summary: z.string(),
  short_summary: z.string().exactOptional(),
  failure_scenario: z.string(),
  category: z.string().exactOptional(),
  severity: open("important", "pre_existing", "nit").exactOptional(),
  verdict: open("CONFIRMED", "PLAUSIBLE").exactOptional(),
  outcome: open("fixed", "skipped", "no_change_needed").exactOptional(),
});

/** Fields of {@link ReportFindingsInput}. */
const reportFindingsInput: Shape<ReportFindingsInput> = shape({
  level: open("low", "medium", "high", "xhigh", "max").exactOptional(),
  findings: z.array(reviewFindingSchema),
});

/** Schema of {@link ReportFindingsInput}. */
export const reportFindingsInputSchema: z.ZodType<ReportFindingsInput> = loose(reportFindingsInput);

/** Schema of {@link ReportFindingsOutput}. */
export const reportFindingsOutputSchema: z.ZodType<ReportFindingsOutput> = loose({
  ...reportFindingsInput,
  count: z.number(),
});
