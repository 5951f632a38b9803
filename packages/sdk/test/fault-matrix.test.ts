import { fileURLToPath } from "node:url";
import { startLeakCheck } from "@reins/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { type Cell, cells, pageOf } from "./faults/page.ts";
import { type Outcome, runCell } from "./faults/run-cell.ts";

// Every fault at every moment of a session. The cells run at the same time in this process, since most of them wait; what each of them must
// show is docs/faults.md, which is reviewed like code.

/** More would only make processes wait for a processor while deadlines run. */
const atOnce = 10;
const possible = cells.filter(({ impossible }) => impossible === undefined);
const outcomes = new Map<Cell, Outcome>();
let left: unknown;

beforeAll(async () => {
  const leaks = startLeakCheck({ timeoutMs: 5_000 });
  const waiting = possible.values();
  const work = async (): Promise<void> => {
    for (const cell of waiting) outcomes.set(cell, await runCell(cell.moment, cell.fault));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  left = await leaks.assertClean().catch((error: unknown) => error);
}, 120_000);

describe.each(possible)("at $moment.name", (cell) => {
  test(`${cell.fault.name} ends the session in time, with a typed error if any, and leaves no process`, () => {
    expect(outcomes.get(cell)?.wrong).toEqual([]);
  });
});

test("no fault leaves a timer, listener, handle, descriptor, folder or process", () => {
  expect(left).toBeUndefined();
});

test("what a session survives costs it nothing: the result is delivered and the end is a normal one", () => {
  const survived = ["garbage", "line over the limit", "duplicate and unknown responses"];
  const bad = where(({ hasResult, end }, { fault }) => survived.includes(fault.name) && !(hasResult && end === "end"));
  expect(bad).toEqual([]);
});

test("a session without a result never ends as if all were well", () => {
  expect(where(({ hasResult, end }) => !hasResult && end === "end")).toEqual([]);
});

test("a callback that is open when the session ends is withdrawn, and none is called twice", () => {
  const isSettled = (open: string | undefined): boolean => open === "answered" || open === "withdrawn";
  expect(where(({ open }, { moment }) => moment.open === "callback" && !isSettled(open))).toEqual([]);
});

test("docs/faults.md is what the cells show", async () => {
  const page = fileURLToPath(new URL("../../../docs/faults.md", import.meta.url));
  await expect(pageOf(outcomes)).toMatchFileSnapshot(page);
});

/** Names of the cells of which something is true. */
function where(isTrue: (outcome: Outcome, cell: Cell) => boolean): string[] {
  return [...outcomes]
    .filter(([cell, outcome]) => isTrue(outcome, cell))
    .map(([{ moment, fault }, { end }]) => `${fault.name} at ${moment.name}: ${end}`);
}
