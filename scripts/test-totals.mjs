// Sums what vitest wrote to test-results/*.json. `node scripts/test-totals.mjs CODE` prints the closing line of a CI run
// in which the check ended with CODE, and exits non-zero when anything failed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./pnpm.mjs";

/** The totals of one vitest project, or `undefined` when it left none. */
export function readTotals(project) {
  const file = join(root, "test-results", `${project}.json`);
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, "utf8"));
  // A file that failed to load has no tests to fail, so vitest counts nothing for it.
  const broken = report.testResults.filter(
    (result) => result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function formatTotals({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function main(checkCode) {
  const projects = ["unit", "e2e"].map(readTotals);
  const missing = projects.includes(undefined);
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const totals of projects) {
    for (const key of Object.keys(sum)) sum[key] += totals?.[key] ?? 0;
  }
  // A failed gate, an unhandled error or a missing report is no failed test; it must not read as "0 failed".
  if (sum.failed === 0 && (checkCode !== 0 || missing || sum.passed === 0)) sum.failed = 1;
  console.log(formatTotals(sum));
  if (sum.failed > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(Number(process.argv[2] ?? 0));
