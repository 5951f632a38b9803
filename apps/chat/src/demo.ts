import { rmSync } from "node:fs";
import type { ChatOptions } from "@reins/chat";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text, toolUse } from "@reins/testkit";

/** A place to try the chat in: the real CLI, a model that is a script on loopback, and a folder that nobody sees again. */
export interface Demo extends AsyncDisposable {
  readonly options: ChatOptions;
}

/** Starts the place. Close it: with it go its sessions. */
export async function startDemo(): Promise<Demo> {
  const model = await startScriptedModel(script);
  try {
    const sandbox = await createSandbox({ model });
    // After a crash nobody closes it.
    const remove = (): void => rmSync(sandbox.root, { recursive: true, force: true });
    process.on("exit", remove);
    return {
      options: {
        ...sandbox.spawnOptions(),
        pathToClaudeCodeExecutable: findTestBinary(),
        settingSources: [],
        welcome: `**Chat** with the real Claude Code CLI and a scripted model: no key, no network, no tokens. Try ${known}; \`/help\` shows the rest. For your own CLI and login: \`--live\``,
      },
      [Symbol.asyncDispose]: async () => {
        process.off("exit", remove);
        await sandbox.close();
        await model.close();
      },
    };
  } catch (error) {
    await model.close();
    throw error;
  }
}

const known = "`run ls -la`, `question`, `markdown` or `slowly`";

/** Knows a few words, each of which shows a part of the chat. */
const script: ModelScript = ({ body, toolResults: [result], ...request }) => {
  const userText = request.userText.replace(/^\[Request interrupted by user[^\]]*\]\s*/, "");
  if (result !== undefined && userText.trim() === "")
    return said(result.isError ? `It was not done: ${result.text}` : `Done. It said:\n\n~~~\n${result.text}\n~~~`);
  const [, command] = /^\s*run (.+)/s.exec(userText) ?? [];
  if (command !== undefined) return [...said("I will run that."), toolUse("Bash", { command: command.trim() })];
  if (/\bquestion\b/.test(userText)) return toolUse("AskUserQuestion", { questions: [question] });
  if (/\bmarkdown\b/.test(userText)) return { content: said(sample), eventDelayMs: 10 };
  if (/\bslowly\b/.test(userText)) return { content: said("One word after the other, ".repeat(40)), eventDelayMs: 120 };
  const earlier = body.messages.filter(({ role }) => role === "assistant").length;
  return said(
    `Answer ${earlier + 1}: you said *${userText.trim().slice(0, 200)}*. I am a script, and know a few words only: ${known}.`,
  );
};

const question = {
  question: "Which colour should it have?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Blue", description: "Like the sea" },
    { label: "Green", description: "Like the grass" },
  ],
};

const sample = `# Apples and pears

Streamed **block by block**, with *emphasis*, \`code\` and a [link](https://example.com/fruit).

1. [ ] a task
2. [x] and one that is done

| fruit | colour | in stock |
| --- | :-: | --: |
| apple | red or green | 12 |
| pear | yellow | 5 |

\`\`\`ts
const stock = new Map([["apples", 12]]);
\`\`\`

> Nothing is lost in a narrow terminal.
`;

/** In small pieces, as a model writes. */
function said(words: string): ReturnType<typeof text>[] {
  return [text(...(words.match(/\S*\s*/g) ?? []).filter((piece) => piece !== ""))];
}
