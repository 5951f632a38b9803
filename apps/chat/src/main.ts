import { runChat } from "@reins/chat";
import { startDemo } from "./demo.ts";

const flags = process.argv.slice(2);
const isLive = flags.includes("--live");
const isKnown = flags.every((flag) => flag === "--live" || (flag === "--continue" && isLive));

if (!isKnown) {
  console.error("Usage: npm start -- [--live [--continue]]");
  process.exitCode = 2;
} else if (isLive) {
  // Your own claude, with your own login, in this folder.
  const { exitCode } = await runChat({ continue: flags.includes("--continue") });
  process.exitCode = exitCode;
} else {
  await using demo = await startDemo();
  const { exitCode } = await runChat(demo.options);
  process.exitCode = exitCode;
}
