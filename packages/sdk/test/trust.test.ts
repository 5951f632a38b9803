import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "@reins/testkit";
import { expect, test } from "vitest";
import { realCli } from "./real-cli.ts";

// What the real CLI does by itself with prompts and folders that are not trusted, and how a host keeps it from that.

test("a name behind an @ in a prompt reads that file, unless prompts are verbatim", async () => {
  await using cli = await realCli(() => text("Done."));
  await writeFile(join(cli.sandbox.cwd, "secret.txt"), "the tide is at noon");
  for (const verbatimPrompts of [false, true]) {
    for await (const _ of cli.start("What says @secret.txt of it?", { verbatimPrompts }));
    const sent = JSON.stringify(cli.model.requests.at(-1)?.body.messages);
    expect(sent.includes("the tide is at noon")).toBe(!verbatimPrompts);
  }
});

test("hooks in the settings of a folder run only where that source is asked for", async () => {
  await using cli = await realCli(() => text("Done."));
  const { cwd } = cli.sandbox;
  await mkdir(join(cwd, ".claude"));
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch ran" }] }] };
  await writeFile(join(cwd, ".claude/settings.json"), JSON.stringify({ hooks }));
  for (const settingSources of [[], ["project"]] as const) {
    for await (const _ of cli.start("Hello.", { settingSources: [...settingSources] }));
    expect(existsSync(join(cwd, "ran"))).toBe(settingSources.length > 0);
  }
});
