import type { OpenString } from "../open.ts";

/** Asks the user. Answered by permission: allow, with the answers in `updatedInput`. [verified on CLI 2.1.328] */
export interface AskUserQuestionInput {
  /** One to four. */
  readonly questions: UserQuestion[];
  /** Question to label; several labels are joined by commas. Filled in by the host. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, QuestionAnnotation>>;
  readonly metadata?: { readonly source?: string };
}

/** What the user answered. */
export interface AskUserQuestionOutput {
  readonly questions: UserQuestion[];
  readonly answers: Readonly<Record<string, string>>;
  /** A free answer instead of labels. */
  readonly response?: string;
  readonly annotations?: Readonly<Record<string, QuestionAnnotation>>;
  /** Set when nobody answered in time. */
  readonly afkTimeoutMs?: number;
}

/** A question. */
export interface UserQuestion {
  readonly question: string;
  /** At most 12 characters. */
  readonly header: string;
  /** Two to four. */
  readonly options: QuestionOption[];
  readonly multiSelect: boolean;
}

/** A possible answer. */
export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  readonly preview?: string;
}

/** What belongs to an answer. */
export interface QuestionAnnotation {
  readonly preview?: string;
  readonly notes?: string;
  readonly unanswered?: OpenString<"skipped" | "replied_in_chat" | "dismissed">;
}

/** Ends plan mode, if the user agrees. The plan is in the assistant message; the permission question has an empty input. */
export interface ExitPlanModeInput {
  readonly plan?: string;
  readonly allowedPrompts?: { readonly tool: string; readonly prompt: string }[];
}

/** The plan that was agreed to. */
export interface ExitPlanModeOutput {
  readonly plan: string | null;
  readonly isAgent: boolean;
  readonly filePath?: string;
  readonly hasTaskTool?: boolean;
  readonly planWasEdited?: boolean;
  readonly awaitingLeaderApproval?: boolean;
  readonly requestId?: string;
}

/** Begins plan mode. */
export interface EnterPlanModeOutput {
  readonly message: string;
}
