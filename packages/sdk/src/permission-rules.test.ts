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
    ["Bash(echo:*)", `echo "'" $(rm x) "'"`, false],
    ["Bash(echo:*)", "echo \\' $(rm x) \\'", false],
    ["Bash(echo:*)", "echo $'a\\'b' ; rm x ; echo 'c'", false],
    ["Bash(echo:*)", "echo \\$'a' ; rm x ; echo 'c'", false],
    ["Bash(echo:*)", "echo # '\nrm x # '", false],
    ["Bash(echo:*)", "echo a#b", true],
    ["Bash(echo:*)", "echo () ( rm x )\necho", false],
    ["Bash(echo:*)", "echo $" + "{x:-$(rm x)}", false],
    ["Bash(echo:*)", 'echo "a', false],
    ["Bash(echo:*)", "echo <<'EOF'\nEOF\nrm x", false],
    ["Bash(echo:*)", "echo a \\\n  b", true],
    ["Bash(git  log)", "git log", true],
    ["Bash(git log)", "git \t log", true],
    ["Bash(* --version)", "rm x; y --version", false],
    ["Bash(a.c)", "abc", false],
    ["Bash(a [b] *)", "a b c", false],
    ["Bash(echo:*)", "", false],
    ["Bash(echo:*)", " ; ", false],
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
    ["Read(a*b)", "/srv/app/a/b", false],
    ["Read(**)", "~/.ssh/id", false],
    ["Read(**)", "/srv/app", false],
    ["Read(**)", "/srv/app/.x/y", true],
    ["Read(a/**/b)", "/srv/app/a/b", true],
    ["Read(a/**/b)", "/srv/app/a/x/y/b", true],
    ["Read(x**/b)", "/srv/app/x/y/b", false],
    ["Read(../shared/*)", "/srv/shared/a", true],
    ["Read(./a)", "/srv/app/a", true],
    ["Read(a/)", "/srv/app/b/a/c", true],
    ["Read(//)", "/etc/hosts", true],
    ["Read(~)", `${homedir()}/a`, true],
    ["Edit([id]/page.ts)", "/srv/app/[id]/page.ts", true],
    ["Edit([id]/page.ts)", "/srv/app/i/page.ts", false],
    ["Read(a\\*)", "/srv/app/a*", true],
    ["Read(a\\*)", "/srv/app/ab", false],
    ["Read(.env)", "/srv/app/.ENV", false],
    ["Read(\u{1f600}.txt)", "/srv/app/\u{1f600}.txt", true],
  ])("%s on the path %j: %j", (rule, file_path, expected) => {
    expect(allows(rule, rule.slice(0, 4), { file_path })).toBe(expected);
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
    ["mcp__files__read", "mcp__files__read__and_delete", {}, false],
    ["mcp__*", "mcp__files__read", {}, true],
    ["mcp__*", "mcp", {}, false],
    ["WebFetch(domain:Example.com)", "WebFetch", { url: "https://EXAMPLE.com./" }, true],
    ["WebFetch(domain:bücher.example)", "WebFetch", { url: "https://bücher.example/" }, true],
    ["WebFetch(domain:example.com)", "WebFetch", { url: "https://example.com@evil.org/" }, false],
    ["WebFetch(domain:*.example.com)", "WebFetch", { url: "https://evilexample.com" }, false],
    ["Task(reviewer)", "Agent", { subagent_type: "reviewer" }, true],
    ["Skill(pdf*)", "Skill", { skill: "pdf-forms" }, true],
    // More than one path: each has to be covered.
    ["Edit(src/**)", "NotebookEdit", { file_path: "src/a", notebook_path: "/etc/a" }, false],
    ["Bash(ls)", "Bash", { command: ["ls"] }, false],
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

  test.each([
    ..."Bash( (x) Bash)x WebFetch(example.com) WebFetch(domain:a:8080) WebFetch(domain:a/b) WebFetch(domain:*)".split(
      " ",
    ),
    // As a denial these would let everything pass.
    ..."* Ba* mcp__files__get_* mcp__my.server mcp__files__read(x) Bash(:*) Read(!a)".split(" "),
    "",
    "My Tool",
  ])("refuses %j, which is no rule", (rule) => {
    expect(() => permissionPolicy({ allow: [rule] })).toThrow(TypeError);
  });

  function denies(rule: string, toolName: string, input: Record<string, unknown>, cwd = "/srv/app"): boolean {
    const policy = permissionPolicy({ deny: [rule], allow: [toolName], cwd });
    return (policy(toolName, input, options) as { behavior: string }).behavior === "deny";
  }

  test.each([
    "rm x",
    "rm\tx",
    "ls; rm x",
    "ls $(rm x)",
    'echo "$(rm x)"',
    'echo "a `rm x` b"',
    "(cd a && rm x)",
    "X=1 Y='a b' rm x",
    "if true; then rm x; fi",
    "! rm x",
    '"rm" x',
    "r\\m x",
    "r\\\nm x",
    "/bin/rm x",
    "sudo -n rm x",
    "timeout 5s nice rm x",
    "ls | xargs rm x",
    "> log rm x",
    "echo $'a\\'b' ; rm x ; echo 'c'",
    "echo \\$'\\' ; rm x ; echo 'c'",
    "echo # it's\nrm x",
    "cat <<EOF\nit's\nEOF\nrm x",
    "f() { rm x; }; f",
    "a=1 rm x",
  ])("denies a command that is somewhere in %j", (command) => {
    // A redirection takes its target with it only where it is written as one word.
    expect(denies("Bash(rm x)", "Bash", { command: command.replace("> log", ">log") })).toBe(true);
    expect(denies("Bash(rm:*)", "Bash", { command: command.replace("> log", ">log") })).toBe(true);
  });

  test.each(["git rm x", "echo 'rm x; rm y'", 'git commit -m "fix; rm x"', "rmdir x", "cat rm"])(
    "does not deny %j for what only looks like a command in it",
    (command) => {
      expect(denies("Bash(rm:*)", "Bash", { command })).toBe(false);
    },
  );

  test.each<[string, string, Record<string, unknown>, string?]>([
    ["Read(.env)", "Read", { file_path: "/srv/app/a/.ENV" }],
    ["Read(.env)", "Read", { file_path: "/.env" }, "/"],
    ["Read(.env)", "Read", { file_path: "/srv/app/.env" }, "/srv/app/"],
    ["Read(.env)", "Read", { file_path: "/srv/app/.env" }, "/srv/x/../app"],
    ["Read(.env)", "Read", { file_path: "/srv/a*[b]?/.env" }, "/srv/a*[b]?"],
    ["Read(.env)", "Read", { file_path: ".env" }, "."],
    ["Read(*.[ch])", "Read", { file_path: "/srv/app/a.c" }],
    ["Read([id]/a)", "Read", { file_path: "/srv/app/[id]/a" }],
    ["Read(~/.ssh)", "Read", { file_path: "~/.ssh/id" }],
    ["Read(\u00e9)", "Read", { file_path: "/srv/app/e\u0301" }],
    ["Read(a)", "Read", {}],
    ["Edit(a)", "NotebookEdit", { file_path: "b", notebook_path: "a" }],
    ["WebFetch(domain:evil.org)", "WebFetch", { url: "https://EVIL.org./x" }],
    ["WebFetch(domain:evil.org)", "WebFetch", { url: "evil.org" }],
    ["mcp__a__b", "mcp__a__b__c", {}],
    ["Agent(x)", "Task", { subagent_type: "x" }],
    [" Bash ( rm x ) ", "Bash", { command: "rm x" }],
  ])("denies by %s what %s does with %j", (rule, toolName, input, cwd) => {
    expect(denies(rule, toolName, input, cwd)).toBe(true);
  });

  test("does not allow next door to a folder whose name looks like a pattern", () => {
    const policy = permissionPolicy({ allow: ["Read(**)"], cwd: "/srv/a*" });
    expect(policy("Read", { file_path: "/srv/a*/x" }, options)).toMatchObject({ behavior: "allow" });
    expect(policy("Read", { file_path: "/srv/ab/x" }, options)).toMatchObject({ behavior: "deny" });
  });

  test.each([
    ["Bash(* * * * * * x)", "Bash", { command: "a ".repeat(20_000) }],
    ["Bash(a:*)", "Bash", { command: "a b".repeat(100_000) }],
    ["Bash(a:*)", "Bash", { command: `${"'\"".repeat(50_000)}$(\`` }],
    ["Bash(a:*)", "Bash", { command: "$(".repeat(100_000) }],
    ["Bash(a:*)", "Bash", { command: "env ".repeat(50_000) }],
    ["Read(**/a/**/a/**/a/**/b)", "Read", { file_path: "a/".repeat(20_000) }],
    ["Read(*a*a*a*a*b)", "Read", { file_path: "a".repeat(20_000) }],
  ])("decides about %s in a time that grows with the length alone", (rule, toolName, input) => {
    const start = performance.now();
    permissionPolicy({ deny: [rule], allow: [rule] })(toolName, input, options);
    // Tried as regular expressions, these take from minutes to years.
    expect(performance.now() - start).toBeLessThan(5_000);
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
