import { describe, expect, test } from "vitest";
import { projectKeyForPath } from "./project-key.ts";
import { comparable, spellingsOf } from "./windows-paths.ts";

test("keys of one folder of Windows compare as equal, whatever the case of the drive's letter", () => {
  const [lower, upper] = ["c:\\Users\\me\\app", "C:\\Users\\me\\app"].map(projectKeyForPath);
  expect(lower).not.toBe(upper);
  expect(comparable(lower!, "win32")).toBe(comparable(upper!, "win32"));
  expect(comparable(lower!, "linux")).not.toBe(comparable(upper!, "linux"));
});

describe("a folder of Windows is looked for", () => {
  test.each([
    ["where a mapped drive leads", "Z:\\app", "\\\\server\\share\\app"],
    [
      "where a drive leads that is mapped to a folder of a share",
      "z:\\Team\\App",
      "\\\\server\\share\\code\\team\\app",
    ],
    ["where a drive leads that stands for a folder", "S:\\app", "C:\\code\\app"],
  ])("%s, and as it was given", (_, given, real) => {
    expect(spellingsOf(given, real, "win32")).toEqual([real, given]);
  });

  test.each([
    ["it did not move", "c:\\App", "C:\\app"],
    ["a link leads to another one", "Z:\\link", "C:\\app"],
    ["the last name only ends alike", "Z:\\app", "\\\\server\\share\\my-app"],
    ["it is a whole drive", "Z:\\", "\\\\server\\share\\"],
    ["a share was given", "\\\\server\\share\\app", "C:\\share\\app"],
  ])("as it resolves only where %s", (_, given, real) => {
    expect(spellingsOf(given, real, "win32")).toEqual([real]);
  });
});

test("elsewhere a folder is looked for as it resolves", () => {
  expect(spellingsOf("/link/app", "/real/app", "linux")).toEqual(["/real/app"]);
});
