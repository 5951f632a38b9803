import { expect, test } from "vitest";
import { skillNameProblem, skillRules } from "./skills.ts";

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
])("says what is wrong with the name %j, which would not stay one rule", (name) => {
  expect(skillNameProblem(name)).toMatch(/^(is|begins|has) /);
});

test("has nothing to say of other names", () => {
  expect(["pdf", "team:review notes", "größe"].map(skillNameProblem)).toEqual([undefined, undefined, undefined]);
});
