import type { Options, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { ModelScript } from "@reins/testkit";

/** Where a program runs. */
export interface Place {
  /** The CLI, the folder, the environment, no settings, no tools. */
  readonly options: Options;
  /** An empty folder. */
  readonly cwd: string;
}

/** A program against the official Agent SDK. All of them import it under its name; the test runs them on it, and on ours in its place. */
export interface Program {
  readonly model: ModelScript;
  /** Runs in the process whose environment is that of the CLI, which the session functions need. */
  readonly needsHostEnv?: boolean;
  /** Gives what the two runs have to agree on. */
  readonly run: (place: Place) => Promise<unknown>;
}

/** Everything that a query gives, and the error behind it if there is one. */
export async function record(messages: AsyncIterable<SDKMessage>): Promise<{ messages: SDKMessage[]; error?: string }> {
  const seen: SDKMessage[] = [];
  try {
    for await (const message of messages) seen.push(message);
    return { messages: seen };
  } catch (error) {
    return { messages: seen, error: String(error instanceof Error ? error.message : error) };
  }
}

/** A prompt in parts. */
export function user(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null };
}
