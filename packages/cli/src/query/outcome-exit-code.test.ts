import { expect, test } from "vitest";
import { exitCodeOf } from "./outcome-exit-code.ts";

test("each outcome of a turn has its exit code", () => {
  const kinds = [
    "completed",
    "failed",
    "limit-reached",
    "hook-stopped",
    "interrupted",
    "prompt-blocked",
    "not-started",
  ] as const;
  expect(kinds.map((kind) => exitCodeOf({ kind }))).toEqual([0, 1, 3, 4, 4, 4, 5]);
});
