/** Plans a prompt. */
export interface CronCreateInput {
  /** In five fields. */
  readonly cron: string;
  readonly prompt: string;
  readonly recurring?: boolean;
  readonly durable?: boolean;
}

/** The plan. */
export interface CronCreateOutput {
  readonly id: string;
  readonly humanSchedule: string;
  readonly recurring: boolean;
  readonly durable?: boolean;
  /** Milliseconds since 1970. */
  readonly nextFireAt?: number;
}

/** Takes a plan back. */
export interface CronDeleteInput {
  readonly id: string;
}

/** The plan that was taken back. */
export interface CronDeleteOutput {
  readonly id: string;
  readonly endedLoopWakeup?: true;
}

/** All plans. */
export interface CronListOutput {
  readonly jobs: {
    readonly id: string;
    readonly cron: string;
    readonly humanSchedule: string;
    readonly prompt: string;
    readonly recurring?: boolean;
    readonly durable?: boolean;
    readonly nextFireAt?: number;
  }[];
}

/** Wakes the session later. */
export interface ScheduleWakeupInput {
  readonly delaySeconds?: number;
  readonly reason?: string;
  readonly prompt?: string;
  readonly stop?: boolean;
  readonly noop?: boolean;
}

/** When it will wake. */
export interface ScheduleWakeupOutput {
  /** Milliseconds since 1970. */
  readonly scheduledFor: number;
  readonly clampedDelaySeconds: number;
  readonly wasClamped: boolean;
  readonly stopped?: boolean;
  readonly cancelledWakeups?: number;
}
