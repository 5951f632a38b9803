import { createSandbox, findTestBinary, startScriptedModel } from "@reins/testkit";
import { clerk } from "./clerk.ts";
import { runSession } from "./session.ts";

const print = (line: string): void => console.log(line);
const [mode, ...words] = process.argv.slice(2);

if (mode === "--live") {
  // Your own claude, with your own login: this costs what a short conversation costs.
  const prompt = words.join(" ");
  await runSession(prompt === "" ? ["How many apples are in stock?"] : [prompt], {}, print);
} else if (mode !== undefined) {
  console.error('Usage: npm run demo, or npm run demo -- --live "prompt"');
  process.exitCode = 2;
} else {
  // The real CLI, but the model is a script on loopback: no key, no network, no tokens.
  await using model = await startScriptedModel(clerk);
  await using sandbox = await createSandbox({ model });
  print(
    'The real Claude Code CLI with a scripted model on loopback. For your own CLI and login: npm run demo -- --live "prompt"',
  );
  await runSession(
    ["How many apples are in stock?", "Sell three of them."],
    { pathToClaudeCodeExecutable: findTestBinary(), cwd: sandbox.cwd, env: sandbox.env },
    print,
  );
}
