import { runChat } from "@reins/chat";

const { exitCode, sessionId } = await runChat({
  systemPrompt: { type: "preset", preset: "claude_code", append: "Answer in one sentence." },
  allowedTools: ["Read", "Glob", "Grep"],
  resume: process.argv[2],
  welcome: "**What do you want to know about this folder?** `/help` shows the commands.",
});

if (sessionId !== undefined) console.error(`Go on later: npx tsx ask-about-a-folder.ts ${sessionId}`);
process.exitCode = exitCode;
