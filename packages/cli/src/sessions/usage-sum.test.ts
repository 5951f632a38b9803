import { expect, test } from "vitest";
import { addUsage, noUsage } from "./usage-sum.ts";

test("what two sessions used is added up, model by model and day by day", () => {
  const tokens = {
    inputTokens: 1,
    outputTokens: 2,
    cacheReadInputTokens: 3,
    cacheCreationInputTokens: 4,
    responses: 5,
  };
  const one = { tokens, byModel: { a: tokens }, byDay: { monday: { a: tokens } }, totalCostUsd: 0.5 };
  const other = { tokens, byModel: { b: tokens }, byDay: { monday: { a: tokens, b: tokens } } };
  const twice = {
    inputTokens: 2,
    outputTokens: 4,
    cacheReadInputTokens: 6,
    cacheCreationInputTokens: 8,
    responses: 10,
  };
  expect(addUsage(one, other)).toEqual({
    tokens: twice,
    byModel: { a: tokens, b: tokens },
    byDay: { monday: { a: twice, b: tokens } },
    totalCostUsd: 0.5,
  });
  expect(addUsage(noUsage, other)).toEqual({ ...other });
});
