#!/usr/bin/env node
import help from "./help.txt";
import { version } from "./version.ts";

const args = process.argv.slice(2);
const text = args.length === 1 ? textFor(args[0]) : undefined;
if (text === undefined) {
  const { run } = await import("./run.ts");
  process.exitCode = await run(args);
} else {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that left has all that it wanted.
    if (error.code === "EPIPE") return;
    process.stderr.write(`reins: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

/** What the parser would say. To load it, and to declare all commands, takes half as long as Node.js itself. */
function textFor(arg: string | undefined): string | undefined {
  if (arg === "--help" || arg === "-h") return help;
  return arg === "--version" || arg === "-V" ? `${version()}\n` : undefined;
}
