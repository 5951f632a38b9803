import { defineConfig } from "vitest/config";

const conditions = ["@reins/source", "node", "development|production"];

// For scripts/mutate/run.mjs, in place of the main configuration: one project, in one order, without its guard against prints.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: (process.env["MUTATION_TESTS"] ?? "").split("\n"),
    // It would be written next to the tree's own, through a link.
    cache: false,
    setupFiles: ["./scripts/mutate/setup.mjs"],
    // A mutant needs a fraction of a second then, in place of some: each module is loaded once for all files of its run.
    isolate: false,
    // What waits for something that a mutant swallowed ends here. The longest of these tests takes 4 s.
    testTimeout: 8_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
