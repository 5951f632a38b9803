import type { AgentOptions } from "@reins/runtime";
import { Chat } from "./chat.ts";
import { startDemo } from "./demo.ts";
import { runPlainChat } from "./plain-chat.ts";
import { createStyle, wantsColour } from "./style.ts";

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => flag !== "--live" && flag !== "--continue");
if (unknown !== undefined || (flags.includes("--continue") && !flags.includes("--live"))) {
  console.error("Usage: npm start -- [--live [--continue]]");
  process.exitCode = 2;
} else if (flags.includes("--live")) {
  // Your own claude, with your own login, in this folder.
  await run(
    { continue: flags.includes("--continue") },
    process.cwd(),
    undefined,
    "**Chat** with your own `claude`. `/help` shows what there is.",
  );
} else {
  await using demo = await startDemo();
  const { executable, cwd, env, configDir } = demo;
  const welcome =
    "**Chat** with the real Claude Code CLI and a scripted model: no key, no network, no tokens. Try `run ls -la`, `question`, `markdown` or `slowly`; `/help` shows the rest. For your own CLI and login: `--live`";
  await run({ pathToClaudeCodeExecutable: executable, env, settingSources: [] }, cwd, configDir, welcome);
}

async function run(options: AgentOptions, cwd: string, configDir: string | undefined, welcome: string): Promise<void> {
  const agent: AgentOptions = { ...options, cwd, permissionMode: "default" };
  const location = { dir: cwd, configDir };
  const { stdin, stdout, stderr, env } = process;
  const stopping = new AbortController();
  const isScreen = stdin.isTTY && stdout.isTTY && env["TERM"] !== "dumb";
  const chat = isScreen
    ? new Chat({ agent, location, welcome, output: stdout, style: createStyle(wantsColour(env)) })
    : undefined;
  const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };
  for (const [name, number] of Object.entries(signals)) {
    process.on(name, () => {
      // A second one does not wait for the CLI.
      if (stopping.signal.aborted) process.exit(128 + number);
      process.exitCode = 128 + number;
      chat?.stop();
      stopping.abort();
    });
  }
  if (chat !== undefined) {
    await chat.run();
    return;
  }
  // Whoever read the answers has had enough.
  stdout.on("error", () => stopping.abort());
  const isWhole = await runPlainChat(
    {
      agent,
      location,
      input: stdin,
      hasPerson: stdin.isTTY,
      write: (text) => stdout.write(text),
      note: (line) => stderr.write(`${line}\n`),
    },
    stopping.signal,
  );
  // A terminal would keep the process alive.
  stdin.destroy();
  if (!isWhole) process.exitCode ||= 1;
}
