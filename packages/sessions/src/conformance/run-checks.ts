import type { SessionStore } from "../store/session-store.ts";
import type { ConformanceOptions, SessionStoreFactory } from "./factory.ts";
import { sessionStoreChecks } from "./suite.ts";

/** What a run without a test runner found. */
export interface ConformanceReport {
  /** Names of the checks that the store passed. */
  readonly passed: readonly string[];
  /** Checks that the store failed, with what it did. */
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
  /** Checks that were left out, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Runs all checks one after the other, without a test runner.
 *
 * @param report Called with one line per check as it ends, skips and their reasons included. Usually `console.log`.
 */
export async function runSessionStoreChecks<S extends SessionStore>(
  factory: SessionStoreFactory<S>,
  report: (line: string) => void,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const passed: string[] = [];
  const failed: { name: string; error: unknown }[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const { name, title, skip, run } of sessionStoreChecks(factory, options)) {
    if (skip !== undefined) {
      skipped.push({ name, reason: skip });
      report(`skip ${name}: ${skip}`);
      continue;
    }
    try {
      await run();
      passed.push(name);
      report(`ok   ${name}: ${title}`);
    } catch (error) {
      failed.push({ name, error });
      report(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { passed, failed, skipped };
}
