import { expect, test, vi } from "vitest";
import { projectKeyForDirectory, projectKeyForPath } from "./project-key.ts";

test.each([
  ["/home/user/project", "-home-user-project"],
  ["/home/user/my.app_v2", "-home-user-my-app-v2"],
  ["/home/user/caf\u00e9", "-home-user-caf-"],
  ["/home/user/cafe\u0301", "-home-user-cafe-"],
  ["/home/user/😀x", "-home-user---x"],
  ["/", "-"],
  [`/${"a".repeat(199)}`, `-${"a".repeat(199)}`],
  [`/${"a".repeat(200)}`, `-${"a".repeat(199)}-b6ymvl`],
  [`/${"😀".repeat(120)}`, `${"-".repeat(200)}-fp2zqh`],
  ["C:\\Users\\me\\proj", "C--Users-me-proj"],
])("the key of %s", (path, key) => {
  expect(projectKeyForPath(path)).toBe(key);
});

test("keys of long paths differ by their last letter", () => {
  const long = `/${"abcdefghij".repeat(25)}`;
  expect(projectKeyForPath(long)).toMatch(/-w4aff0$/);
  expect(projectKeyForPath(`${long.slice(0, -1)}k`)).toMatch(/-w4aff1$/);
});

test("a directory need not exist and is made absolute", () => {
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
  expect(projectKeyForDirectory("/home/user/none/../project/")).toBe("-home-user-project");
  expect(projectKeyForDirectory("none")).toBe(projectKeyForDirectory(`${process.cwd()}/none`));
  expect(projectKeyForDirectory()).toBe(projectKeyForDirectory(process.cwd()));
});

test("the environment can set one key for all, where it sets the configuration folder too", () => {
  vi.stubEnv("CLAUDE_CODE_PROJECT_DIR_NAME", "mine");
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
  expect(projectKeyForDirectory("/x")).toBe("-x");
  expect(projectKeyForDirectory("/x", { configDir: "/c" })).toBe("mine");
  vi.stubEnv("CLAUDE_CONFIG_DIR", "/c");
  expect(projectKeyForDirectory("/x")).toBe("mine");
  for (const name of ["a/b", "..", "", "CON", "lpt1", "x".repeat(65)]) {
    vi.stubEnv("CLAUDE_CODE_PROJECT_DIR_NAME", name);
    expect(projectKeyForDirectory("/x")).toBe("-x");
  }
});
