import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HookEvent, hookEvents } from "@reins/messages";
import { apiError, type ModelScript, text, toolUse } from "@reins/testkit";
import { vi } from "vitest";
import { Client, createToolServer, type HookMatcher, type Options, tool } from "../../src/index.ts";
import { realCli } from "../real-cli.ts";

/** What the hooks and questions of a session with the real CLI were given. */
export interface Provoked {
  readonly inputs: ReadonlyMap<HookEvent, readonly unknown[]>;
  /** The subtypes of the CLI's own requests that were served. */
  readonly requests: ReadonlySet<string>;
}

const model: ModelScript = ({ userText, toolResults }) => {
  if (userText.includes("Fail now")) return apiError(403);
  if (toolResults.length > 0) return text("Done.");
  for (const [prompt, reply] of Object.entries(answers)) if (userText.includes(prompt)) return reply;
  return text("<summary>An answer.</summary>");
};

const answers: Readonly<Record<string, ReturnType<typeof toolUse> | ReturnType<typeof toolUse>[]>> = {
  "Run tools": [
    toolUse("Bash", { command: "echo hello", description: "Says hello" }),
    toolUse("Read", { file_path: "missing.txt" }),
  ],
  "Make a file": toolUse("Bash", { command: "touch made.txt", description: "Makes a file" }),
  "Use an agent": toolUse("Agent", {
    description: "d",
    prompt: "Say something",
    subagent_type: "general-purpose",
    run_in_background: false,
  }),
  "Make a task": toolUse("TaskCreate", { subject: "One", description: "d", activeForm: "Doing it" }),
  "Finish the task": toolUse("TaskUpdate", { taskId: "1", status: "completed" }),
  "Use a tool of the host": toolUse("mcp__host__note", {}),
  "Ask me": toolUse("mcp__ask__ask_user", {}),
  "Enter a worktree": toolUse("EnterWorktree", { name: "one" }),
  "Leave the worktree": toolUse("ExitWorktree", { action: "remove", discard_changes: true }),
  "Change the folder": toolUse("Bash", { command: "cd sub", description: "Changes the folder" }),
  "Run a script": toolUse("Bash", { command: "curl http://127.0.0.1:1/ | sh", description: "Runs it" }),
};

/** Plays a session in which the real CLI calls every hook that it can be made to call offline. */
export async function provokeHooks(): Promise<Provoked> {
  await using cli = await realCli(model);
  const { cwd, home } = cli.sandbox;
  const commandHook = { CwdChanged: [{ hooks: [{ type: "command", command: "true" }] }] };
  await writeFiles({
    [join(cwd, "sub/README.md")]: "A folder",
    [join(cwd, "watched.txt")]: "one",
    [join(cwd, ".claude/commands/hello.md")]: "Say hello to $ARGUMENTS",
    // Without a command hook for it the CLI calls no callback for it either.
    [join(cwd, ".claude/settings.json")]: JSON.stringify({ hooks: commandHook }),
    [join(home, "worktree/README.md")]: "A worktree",
  });
  const inputs = new Map<HookEvent, unknown[]>();
  const requests = new Set<string>();
  const outputs: { readonly [Event in HookEvent]?: object } = {
    WorktreeCreate: { worktreePath: join(home, "worktree") },
    SessionStart: { watchPaths: [join(cwd, "watched.txt")] },
  };
  const matcher = (event: HookEvent): HookMatcher => ({
    hooks: [
      (input) => {
        requests.add("hook_callback");
        inputs.set(event, [...(inputs.get(event) ?? []), input]);
        const output = outputs[event];
        // Each output is one of its event.
        return (output && { hookSpecificOutput: { hookEventName: event, ...output } }) as undefined;
      },
    ],
  });
  const tools = ["Bash", "Read", "Agent", "TaskCreate", "TaskUpdate", "EnterWorktree", "ExitWorktree"];
  const options: Options = {
    ...cli.options,
    env: { ...cli.options.env, CLAUDE_CODE_ENABLE_TASKS: "1" },
    settingSources: ["project"],
    systemPrompt: { type: "preset", preset: "claude_code" },
    tools,
    allowedTools: [...tools.filter((name) => name !== "Bash"), "mcp__ask", "mcp__host"],
    mcpServers: {
      ask: {
        command: process.execPath,
        args: [join(import.meta.dirname, "../fixtures/asking-server.mjs")],
        alwaysLoad: true,
      },
      host: createToolServer({
        name: "host",
        tools: [
          tool("note", "Takes a note", {}, () => {
            requests.add("mcp_message");
            return "noted";
          }),
        ],
      }),
    },
    // That canUseTool is not asked about some tools is meant.
    onWarning: () => {},
    hooks: Object.fromEntries(hookEvents.map((event) => [event, [matcher(event)]])),
    canUseTool: () => {
      requests.add("can_use_tool");
      return { behavior: "allow" };
    },
    onElicitation: () => {
      requests.add("elicitation");
      return { action: "accept", content: { name: "Ada" } };
    },
  };
  await using client = new Client(options);
  for (const prompt of [
    "Run tools",
    "Make a file",
    "Use an agent",
    "Make a task",
    "Finish the task",
    "/hello world",
    "Use a tool of the host",
    "Ask me",
    "Enter a worktree",
    "Leave the worktree",
  ])
    await client.ask(prompt);
  const came = (event: HookEvent): Promise<void> =>
    vi.waitFor(
      () => {
        if (!inputs.has(event)) throw new Error(`${event} did not come.`);
      },
      { timeout: 15_000 },
    );
  await client.registerRepoRoot(join(cwd, "sub"));
  await client.setModel("claude-sonnet-4-5");
  await came("PostModelSwitch");
  await client.ask("/compact");
  await client.ask("Go on");
  await writeFile(join(cwd, "watched.txt"), "two");
  await came("FileChanged");
  await writeFile(join(cwd, "CLAUDE.md"), "Rules");
  await client.ask("/clear");
  await client.ask("Go on");
  await came("InstructionsLoaded");
  await client.ask("Change the folder");
  await writeFile(join(cwd, ".claude/settings.json"), "{}");
  await came("ConfigChange");
  // Not every model has the mode.
  await client.setModel();
  await client.setPermissionMode("auto");
  await client.ask("Run a script");
  await client.ask("Fail now");
  await came("StopFailure");
  return { inputs, requests };
}

async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, content);
  }
}
