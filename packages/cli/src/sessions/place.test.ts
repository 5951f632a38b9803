import { TranscriptAccessError } from "@reins/sessions";
import { expect, test, vi } from "vitest";
import { Context } from "../context.ts";
import { openPlace } from "./place.ts";

test("a file that cannot be read is said once, without advice for programs, and drives no terminal", async () => {
  const context = new Context();
  const note = vi.spyOn(context, "note").mockResolvedValue();
  await using place = await openPlace(context, {});
  expect(place.hadProblem()).toBe(false);
  const cause = new Error("EACCES: permission denied, open '/a\u001b[2J.jsonl'");
  for (const _ of [1, 2]) place.location.onProblem?.(new TranscriptAccessError("read", "/a\u001b[2J.jsonl", cause));
  expect(place.hadProblem()).toBe(true);
  expect(note.mock.calls).toEqual([
    [expect.stringMatching(/EACCES: permission denied, open '\/a␛\[2J\.jsonl'\. It is left out\.$/)],
  ]);
});
