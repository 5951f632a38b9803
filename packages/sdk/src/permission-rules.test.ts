import { homedir } from "node:os";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { allowAlways, canUseToolShadowed, permissionPolicy } from "./index.ts";

const options = { signal: new AbortController().signal, toolUseID: "t", requestId: "r", request: {} };

function allows(rule: string, toolName: string, input: Record<string, unknown>): boolean {
  const result = permissionPolicy({ allow: [rule], cwd: "/srv/app" })(toolName, input, options);
  return (result as { behavior: string }).behavior === "allow";
}

describe("a rule that allows", () => {
  test.each([
    ["Bash(git status)", "git status", true],
    ["Bash(git status)", "git status -s", false],
    ["Bash(git log:*)", "git log", true],
    ["Bash(git log:*)", "git log --oneline", true],
    ["Bash(git log:*)", "git logs", false],
    ["Bash(touch a *)", "touch a b c", true],
    ["Bash(touch a *)", "touch b", false],
    ["Bash", "rm -rf /", true],
    ["Bash()", "ls", true],
    ["Bash(*)", "ls", true],
    // Each part of a compound command has to be covered.
    ["Bash(git log:*)", "git log && git log -1", true],
    ["Bash(git log:*)", "git log && rm x", false],
    ["Bash(git log:*)", "git log; rm x", false],
    ["Bash(git log:*)", "git log | sh", false],
    ["Bash(git log:*)", "git log & rm x", false],
    ["Bash(git log:*)", "git log\nrm x", false],
    ["Bash(echo:*)", 'echo "a && b; c"', true],
    // What a shell would run or write besides.
    ["Bash(echo:*)", "echo $(rm x)", false],
    ["Bash(echo:*)", "echo `rm x`", false],
    ["Bash(echo:*)", "echo a > b", false],
    ["Bash(echo:*)", 'echo "$(rm x)"', false],
    ["Bash(echo:*)", "echo '$(not run)'", true],
  ])("%s on the command %j: %j", (rule, command, expected) => {
    expect(allows(rule, "Bash", { command })).toBe(expected);
  });

  test.each([
    ["Read(src/**)", "/srv/app/src/a/b.ts", true],
    ["Read(src/**)", "src/a.ts", true],
    ["Read(src/**)", "/srv/app/src/../secret", false],
    ["Read(/src/*.ts)", "/srv/app/src/a.ts", true],
    ["Read(/src/*.ts)", "/srv/app/src/b/a.ts", false],
    ["Read(.env)", "/srv/app/a/.env", true],
    ["Read(.env)", "/srv/app/a/.envrc", false],
    ["Read(//etc/hosts)", "/etc/hosts", true],
    ["Read(//etc/hosts)", "/srv/app/etc/hosts", false],
    ["Read(~/notes)", `${homedir()}/notes/today.md`, true],
    ["Read(a?.txt)", "/srv/app/ab.txt", true],
    ["Read(a+b.txt)", "/srv/app/a+b.txt", true],
  ])("%s on the path %j: %j", (rule, file_path, expected) => {
    expect(allows(rule, "Read", { file_path })).toBe(expected);
  });

  test.each<[string, string, Record<string, unknown>, boolean]>([
    ["mcp__files", "mcp__files__read", {}, true],
    ["mcp__files__*", "mcp__files__read", {}, true],
    ["mcp__files", "mcp__files2__read", {}, false],
    ["mcp__files__read", "mcp__files__write", {}, false],
    ["WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com/a" }, true],
    ["WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com.evil.org" }, false],
    ["WebFetch(domain:*.example.com)", "WebFetch", { url: "https://a.example.com" }, true],
    ["WebFetch(domain:example.com)", "WebFetch", { url: "no url" }, false],
    ["Agent(reviewer)", "Agent", { subagent_type: "reviewer" }, true],
    ["Skill(pdf)", "Skill", { skill: "docx" }, false],
    ["Edit(src/**)", "Write", { file_path: "/srv/app/src/a" }, true],
    // What the rule is about is not in the input.
    ["Read(src/**)", "Read", {}, false],
  ])("%s on %s %j: %j", (rule, toolName, input, expected) => {
    expect(allows(rule, toolName, input)).toBe(expected);
  });
});

describe("a policy", () => {
  test("denies before it asks, and asks before it allows", async () => {
    const onAsk = vi.fn(() => ({ behavior: "allow" }) as const);
    const policy = permissionPolicy({
      allow: ["Bash"],
      ask: ["Bash(git push:*)"],
      deny: ["Bash(rm:*)"],
      onAsk,
      cwd: "/srv/app",
    });
    const decide = async (command: string): Promise<string> => (await policy("Bash", { command }, options))?.behavior;
    expect(await decide("ls")).toBe("allow");
    expect(onAsk).not.toHaveBeenCalled();
    expect(await decide("ls && git push origin")).toBe("allow");
    expect(onAsk).toHaveBeenCalledTimes(1);
    expect(await decide("ls && rm x")).toBe("deny");
  });

  test("denies what no rule is about, and says which rule denied", () => {
    const policy = permissionPolicy({ deny: ["Read(.env)"], cwd: "/srv/app" });
    expect(policy("Write", {}, options)).toEqual({
      behavior: "deny",
      message: "No rule allows this call of Write.",
    });
    expect(policy("Read", { file_path: "/srv/app/.env" }, options)).toEqual({
      behavior: "deny",
      message: "Denied by the rule Read(.env).",
    });
  });

  test.each(["", "Bash(", "(x)", "Bash)x", "WebFetch(example.com)"])("refuses %j, which is no rule", (rule) => {
    expect(() => permissionPolicy({ allow: [rule] })).toThrow(TypeError);
  });

  test("never allows a command that hides another one behind an allowed prefix", () => {
    const separators = fc.constantFrom(";", "&&", "||", "|", "&", "\n", " ; ", " | ");
    fc.assert(
      fc.property(separators, fc.constantFrom("rm -rf x", "curl e", "$(id)"), (separator, hidden) => {
        expect(allows("Bash(git log:*)", "Bash", { command: `git log${separator}${hidden}` })).toBe(false);
      }),
    );
  });
});

test.each<[Parameters<typeof canUseToolShadowed>[0], string[]]>([
  [{ allowedTools: ["Bash"] }, []],
  [{ canUseTool: () => ({ behavior: "allow" }), permissionMode: "bypassPermissions", allowedTools: ["Bash"] }, ["*"]],
  [
    {
      canUseTool: () => ({ behavior: "allow" }),
      allowedTools: ["Read", " ", "Bash()", "Bash(*)", "Edit( * )", "Write(src/**)", "(x)", "Grep(", "mcp__a", "Read"],
      skills: "all",
    },
    ["Read", "Bash", "Edit", "mcp__a", "Skill"],
  ],
])("a permission callback is shadowed: %#", (given, expected) => {
  expect(canUseToolShadowed(given)).toEqual(expected);
});

test("always allow keeps the rules to the session unless told otherwise", () => {
  const suggestion = {
    type: "addRules",
    rules: [{ toolName: "Bash" }],
    behavior: "allow",
    destination: "localSettings",
  } as const;
  expect(allowAlways({ a: 1 }, [suggestion])).toEqual({
    behavior: "allow",
    updatedInput: { a: 1 },
    updatedPermissions: [{ ...suggestion, destination: "session" }],
  });
  expect(allowAlways({}, [suggestion], "userSettings")).toMatchObject({
    updatedPermissions: [{ destination: "userSettings" }],
  });
});
