import { join } from "node:path";
import { expect, test } from "vitest";
import { Context } from "./context.ts";
import { createProgram } from "./program.ts";

test("the help that is laid out beforehand is that of the parser", async () => {
  const { program } = createProgram(new Context());
  let help = "";
  program.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  program.outputHelp();
  // Written anew by `vitest --update`.
  await expect(help).toMatchFileSnapshot(join(import.meta.dirname, "help.txt"));
});
