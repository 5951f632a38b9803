/** How much the model thinks, and how much of it is shown. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;

/** As much as the model finds right. */
export interface ThinkingAdaptive {
  readonly type: "adaptive";
  readonly display?: "summarized" | "omitted" | undefined;
}

/** Up to a number of tokens. */
export interface ThinkingEnabled {
  readonly type: "enabled";
  readonly budgetTokens?: number | undefined;
  readonly display?: "summarized" | "omitted" | undefined;
}

/** Not at all. */
export interface ThinkingDisabled {
  readonly type: "disabled";
}
