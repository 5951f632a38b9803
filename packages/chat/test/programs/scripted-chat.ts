import { rmSync } from "node:fs";
import { runChat } from "@reins/chat";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text, toolUse } from "@reins/testkit";

// The real CLI with a model that is a script, in a folder that is gone afterwards.

/** Knows a few words, each of which makes the chat do something. */
const script: ModelScript = ({ body, toolResults, ...request }) => {
  const userText = request.userText.replace(/^\[Request interrupted by user[^\]]*\]\s*/, "");
  const [result] = toolResults;
  const isAfterTool = result !== undefined && userText.trim() === "";
  if (isAfterTool && !result.isError && result.text.includes("/plans/")) return toolUse("ExitPlanMode", {});
  if (isAfterTool)
    return said(result.isError ? `It was not done: ${result.text}` : `Done. It said:\n\n${fenced(result.text)}`);
  const [, command] = /^\s*run (.+)/s.exec(userText) ?? [];
  if (command !== undefined) return [...said("I will run that."), toolUse("Bash", { command: command.trim() })];
  if (/\bquestions?\b/.test(userText)) return toolUse("AskUserQuestion", { questions });
  // In mode plan the CLI says into which file the plan goes.
  const [planPath] = /[^\s"`]+\/plans\/[^\s"`]+\.md/.exec(JSON.stringify(body.messages)) ?? [];
  if (/\bplan\b/.test(userText) && planPath !== undefined)
    return toolUse("Write", { file_path: planPath, content: plan });
  if (/\bmarkdown\b/.test(userText)) return { content: said(sample), eventDelayMs: 10 };
  if (/\bslowly\b/.test(userText)) return { content: said("One word after the other, ".repeat(40)), eventDelayMs: 120 };
  const content = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
  const images = typeof content === "string" ? 0 : content.filter(({ type }) => type === "image").length;
  if (images > 0) return said(images === 1 ? "I got an image." : `I got ${images} images.`);
  const earlier = body.messages.filter(({ role }) => role === "assistant").length;
  return said(`Answer ${earlier + 1}: you said *${userText.trim().slice(0, 200)}*.`);
};

const plan = "# A plan\n\n1. Look around.\n2. Change **one** thing.\n";

const questions = [
  {
    question: "Which colour should it have?",
    header: "Colour",
    multiSelect: false,
    options: [
      { label: "Blue", description: "Like the sea" },
      { label: "Green", description: "Like the grass" },
    ],
  },
  {
    question: "Which sizes are needed?",
    header: "Sizes",
    multiSelect: true,
    options: [
      { label: "Small", description: "Fits in a pocket" },
      { label: "Large", description: "Fits in a room" },
    ],
  },
];

const sample = `# Apples and pears

Streamed **block by block**, with *emphasis*, \`code\` and a [link](https://example.com/fruit).

- a list
  - with another inside
- and back

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

function fenced(output: string): string {
  return `~~~\n${output.slice(0, 2000)}\n~~~`;
}

await using model = await startScriptedModel(script);
await using sandbox = await createSandbox({
  model,
  ...(process.env["HOME"] !== undefined && { parent: process.env["HOME"] }),
});
// After a crash nobody closes it.
const remove = (): void => rmSync(sandbox.root, { recursive: true, force: true });
process.on("exit", remove);
const { exitCode } = await runChat({
  ...sandbox.spawnOptions(),
  pathToClaudeCodeExecutable: findTestBinary(),
  settingSources: [],
  welcome: "**Chat** with a script.",
});
process.exitCode = exitCode;
