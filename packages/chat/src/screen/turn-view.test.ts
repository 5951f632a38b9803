import type { ResponseChunk, ToolProgress, ToolStage } from "@reins/runtime";
import { expect, test } from "vitest";
import { createStyle } from "../text/style.ts";
import { seconds, TurnView } from "./turn-view.ts";

/** A turn whose clock is set by hand. */
function startTurn(): {
  readonly view: TurnView;
  readonly at: (ms: number) => void;
  readonly block: (...deltas: readonly string[]) => void;
  readonly tool: (id: string, stage: ToolStage, more?: Partial<ToolProgress>) => void;
} {
  let now = 0;
  const view = new TurnView(createStyle(false), () => now);
  const chunk = (chunk: Omit<ResponseChunk, "raw">): void => view.chunk({ ...chunk, raw: {} });
  return {
    view,
    at: (ms) => {
      now = ms;
    },
    block: (...deltas) => {
      chunk({ type: "content_block_start", blockType: "text" });
      for (const delta of deltas) chunk({ type: "content_block_delta", deltaType: "text_delta", delta });
    },
    tool: (toolUseId, stage, more = {}) =>
      view.progress({ toolUseId, toolName: "Bash", stage, input: { command: `do ${toolUseId}` }, ...more }),
  };
}

test("prints text block by block, and shows the block that is written", () => {
  const { view, at, block } = startTurn();
  at(1200);
  expect(view.live(40, 10)).toEqual(["", "⠹ Working 1.2s · ctrl-c interrupts"]);
  block("One\n\ntw", "o\n\n- thr");
  expect(view.takePrinted(40)).toEqual(["", "One", "", "two"]);
  expect(view.live(40, 10)).toEqual(["", "• thr", "", "⠹ Writing 1.2s · ctrl-c interrupts"]);
  view.end();
  expect(view.takePrinted(40)).toEqual(["", "• thr"]);
  expect(view.takePrinted(40)).toEqual([]);
});

test("shows tools that run with their time, and prints those that have ended with the end of their output", () => {
  const { view, at, block, tool } = startTurn();
  block("I look.");
  tool("a", "requested");
  tool("b", "requested", { toolName: "mcp__shop__count", input: {} });
  at(2500);
  expect(view.takePrinted(60)).toEqual(["", "I look."]);
  expect(view.live(60, 10)).toEqual(["", "⠴ Bash do a 2.5s", "⠴ shop: count 2.5s"]);
  tool("b", "completed");
  view.output("b", {}, [{ type: "text", text: "1\n2\n3\n4\n5\n6\n" }]);
  tool("a", "failed");
  view.output("a", { command: "do\n\x1b[2J" }, "Exit code 1\n");
  expect(view.takePrinted(60)).toEqual([
    "",
    "✗ Bash do ␛[2J failed 2.5s",
    "  Exit code 1",
    "✓ shop: count 2.5s",
    "  1",
    "  2",
    "  3",
    "  4",
    "  … 2 more lines",
  ]);
  block("Done.");
  view.end();
  expect(view.takePrinted(60)).toEqual(["", "Done."]);
});

test("leaves the time out that somebody took to answer, and the line while the question is shown", () => {
  const { view, at, tool } = startTurn();
  tool("a", "requested");
  tool("a", "awaiting_permission");
  expect(view.live(60, 10)).toEqual([]);
  at(60_000);
  tool("a", "running");
  at(60_400);
  tool("a", "completed");
  expect(view.takePrinted(60)).toEqual(["", "✓ Bash do a 0.4s"]);
});

test("prints what a sub-agent does while its call still runs", () => {
  const { view, tool } = startTurn();
  tool("agent", "running", { toolName: "Agent", input: { description: "Look around" } });
  tool("inner", "requested", { agentToolUseId: "agent" });
  tool("inner", "completed", { agentToolUseId: "agent" });
  expect(view.takePrinted(40)).toEqual(["", "  ✓ Bash do inner 0.0s"]);
  expect(view.live(40, 10)).toEqual(["", "⠋ Agent Look around 0.0s"]);
});

test("ends what runs with the turn", () => {
  const { view, at, tool } = startTurn();
  tool("a", "running");
  at(61_000);
  view.end();
  expect(view.takePrinted(40)).toEqual(["", "✗ Bash do a interrupted 1m01s"]);
  tool("a", "completed");
  expect(view.takePrinted(40)).toEqual([]);
});

test("fits a narrow terminal", () => {
  const { view, block, tool } = startTurn();
  tool("with a very long command", "running");
  expect(view.live(20, 10)).toEqual(["", "⠋ Bash do with… 0.0s"]);
  tool("with a very long command", "completed");
  view.output("with a very long command", { command: "x".repeat(50) }, "y".repeat(50));
  expect(view.takePrinted(20)).toEqual([
    "",
    "✓ Bash xxxxxxx… 0.0s",
    "  yyyyyyyyyyyyyyyyyy",
    "  yyyyyyyyyyyyyyyyyy",
    "  yyyyyyyyyyyyyy",
  ]);
  block("A long line is wrapped.");
  expect(view.live(20, 10)).toEqual(["", "A long line is", "wrapped.", "", "⠋ Writing 0.0s · ct…"]);
  expect(view.live(20, 3)).toHaveLength(3);
});

test("prints a block that is very long in pieces, and keeps its code code", () => {
  const { view, block } = startTurn();
  block(`\`\`\`ts\n${"const a = 1;\n".repeat(3000)}`);
  const lines = view.takePrinted(40);
  expect(lines.length).toBeGreaterThan(2900);
  expect(lines[1]).toBe("  const a = 1;");
  view.text("# no heading\n```\n");
  view.end();
  expect(view.takePrinted(40).filter((line) => line !== "")).toContain("  # no heading");
});

test.each([
  [0, "0.0s"],
  [9_949, "9.9s"],
  [9_950, "10s"],
  [59_949, "60s"],
  [60_000, "1m00s"],
  [3_661_000, "61m01s"],
])("writes %i ms as %s", (ms, text) => {
  expect(seconds(ms)).toBe(text);
});
