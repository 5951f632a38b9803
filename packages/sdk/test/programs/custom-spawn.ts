import { spawn } from "node:child_process";
import { query, type SpawnedProcess, type SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [text("Hello.")];

export async function run({ options }: Place): Promise<unknown> {
  let spawned: unknown;
  const spawnClaudeCodeProcess = ({ command, args, cwd, env, signal }: SpawnOptions): SpawnedProcess => {
    spawned = { command, cwd };
    return spawn(command, args, { cwd, env, signal, stdio: ["pipe", "pipe", "ignore"] });
  };
  const seen = await record(query({ prompt: "Say hello.", options: { ...options, spawnClaudeCodeProcess } }));
  return { ...seen, spawned };
}
