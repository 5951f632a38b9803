import { expect, test } from "vitest";
import { OptionError } from "./errors.ts";
import { skillRules } from "./skills.ts";

test("each skill becomes a rule of its own", () => {
  expect(skillRules(["pdf", "team:review notes"])).toEqual(["Skill(pdf)", "Skill(team:review notes)"]);
  expect(skillRules("all")).toEqual(["Skill"]);
  expect(skillRules([])).toEqual([]);
});

test.each([
  "",
  " a",
  "a\t",
  "a(b",
  "a)",
  "a,b",
  "a\u0007b",
  "a\u0085b",
  "a\ud800",
  "*",
  "team:*",
  "team *",
  "/abs",
  "a\\\\b",
  "a\\",
])("refuses the name %j, which would not stay one rule", (name) => {
  expect(() => skillRules([name])).toThrow(OptionError);
});

test("refuses what is no list of names", () => {
  // Callers without types do that.
  expect(() => skillRules([1 as unknown as string])).toThrow(OptionError);
  expect(() => skillRules("pdf" as "all")).toThrow(OptionError);
});
