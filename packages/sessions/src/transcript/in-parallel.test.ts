import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./in-parallel.ts";

test("keeps the order and the limit", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel(
    [5, 1, 4, 2, 3],
    async (turns) => {
      most = Math.max(most, ++running);
      for (let count = 0; count < turns; count++) await turn();
      running--;
      return turns * 2;
    },
    2,
  );
  expect(results).toEqual([10, 2, 8, 4, 6]);
  expect(most).toBe(2);
});

test("rejects with the first failure when all that runs has ended", async () => {
  const ended: number[] = [];
  const failing = inParallel(
    [1, 2, 3, 4],
    async (item) => {
      await turn();
      if (item === 1) throw new Error("first");
      await turn();
      ended.push(item);
    },
    2,
  );
  await expect(failing).rejects.toThrow("first");
  expect(ended).toEqual([2]);
});
