import { type Options, query, type UserPrompt } from "@reins/sdk";
import { createShop } from "./shop.ts";

/**
 * Holds a session of several turns: one prompt after the other, each sent when the answer to the one before has come. The only tools
 * are those of the shop.
 */
export async function runSession(
  prompts: readonly string[],
  options: Options,
  print: (line: string) => void,
): Promise<void> {
  let answered = (): void => {};
  async function* turns(): AsyncGenerator<UserPrompt> {
    for (const text of prompts) {
      print(`\n> ${text}`);
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield { type: "user", message: { role: "user", content: text } };
      await answer;
    }
  }

  const session = query({
    prompt: turns(),
    options: {
      systemPrompt: "You are the clerk of a small shop. Use your tools.",
      // No built-in tools, no settings, no servers but ours: the program decides what the model can do.
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      mcpServers: { shop: createShop() },
      allowedTools: ["mcp__shop__stock", "mcp__shop__sell"],
      ...options,
    },
  });

  let turn = 0;
  for await (const message of session) {
    if (message.type === "system" && message.subtype === "init" && turn === 0) {
      print(`tools granted: ${message.tools.join(", ")}`);
    } else if (message.type === "result") {
      turn++;
      const text = message.subtype === "success" ? message.result : message.subtype;
      print(`turn ${turn}: ${text}`);
      answered();
    }
  }
}
