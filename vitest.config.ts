import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests read `src` through the private condition, so they need no build. The rest of the list are the defaults, but for "module": what
// bundlers take in its place is not always something that Node can load (the AWS client).
const conditions = ["@reins/source", "node", "development|production"];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

// The tests mostly wait for children and sockets, so two workers pay even on one core; the real binary takes about
// 300 MB per child, so a large machine does not get one worker per core.
const maxWorkers = Math.min(Math.max(availableParallelism(), 2), 6);

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { shuffle: { files: true, tests: true } },
    projects: [
      {
        extends: true,
        resolve,
        ssr,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        resolve,
        ssr,
        test: {
          name: "e2e",
          include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "contracts/test/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 30_000,
          // Real servers, children and terminals on a machine that may do other things besides. What needed it is named at the end.
          retry: process.env["CI"] ? 1 : 0,
        },
      },
    ],
    setupFiles: ["./vitest.setup.ts"],
    disableConsoleIntercept: true,
    pool: "forks",
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
