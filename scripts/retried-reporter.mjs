import { relative } from "node:path";

/** A reporter of vitest that names the tests which passed at their second try: each is a race that wants to be mended. */
// biome-ignore lint/style/noDefaultExport: vitest wants it so.
export default class RetriedReporter {
  onTestCaseResult(test) {
    const { retryCount = 0 } = test.diagnostic() ?? {};
    if (retryCount === 0 || test.result().state !== "passed") return;
    console.log(`retried: ${relative(process.cwd(), test.module.moduleId)} > ${test.fullName}`);
  }
}
