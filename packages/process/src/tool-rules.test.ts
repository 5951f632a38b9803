import { expect, test } from "vitest";
import { toolRules } from "./tool-rules.ts";

test.each([
  [
    ["Read", "Edit"],
    ["Read", "Edit"],
  ],
  [["Read,Edit , Bash"], ["Read", "Edit", "Bash"]],
  [["Bash(git commit, git push) Read"], ["Bash(git commit, git push)", "Read"]],
  [["Bash(echo (a))"], ["Bash(echo (a))"]],
  [["", " , "], []],
  // Not the whole tool.
  [["Bash(git ,Read"], ["Bash(git ,Read"]],
])("%j has the rules %j", (entries, rules) => {
  expect(toolRules(entries)).toEqual(rules);
});
