import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { query, type SdkPluginConfig } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [text("Hello.")];

export async function run({ options, cwd }: Place): Promise<unknown> {
  const path = join(cwd, "greeter");
  await mkdir(join(path, ".claude-plugin"), { recursive: true });
  await mkdir(join(path, "commands"));
  await writeFile(
    join(path, ".claude-plugin/plugin.json"),
    JSON.stringify({ name: "greeter", version: "1.0.0", description: "Greets." }),
  );
  await writeFile(join(path, "commands/greet.md"), "Say hello to $ARGUMENTS.");
  const plugins: SdkPluginConfig[] = [{ type: "local", path }];
  return record(query({ prompt: "/greeter:greet Ada", options: { ...options, plugins } }));
}
