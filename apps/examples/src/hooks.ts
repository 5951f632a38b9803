import { collect, type HookCallback } from "@reins/sdk";
import { text, toolUse } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ toolResults }, index) => {
  if (index === 0) return toolUse("Bash", { command: "rm -r notes", description: "Clean up" });
  if (index === 1) return toolUse("Bash", { command: "echo tidy", description: "Say so" });
  return text(`The last command said: ${toolResults.at(-1)?.text}`);
});

// Before a tool runs: no rule and no permission mode can allow what a hook denies.
const guard: HookCallback<"PreToolUse"> = ({ tool_input: input }) => {
  // The matcher lets only Bash through, whose input looks like this.
  const { command } = input as { command: string };
  if (!/\brm\b/.test(command)) return {};
  console.log(`denied: ${command}`);
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "Nothing is removed here.",
    },
  };
};

// After it ran.
const record: HookCallback<"PostToolUse"> = ({ tool_name: name }) => {
  console.log(`ran: ${name}`);
};

// With each prompt, unseen by whoever wrote it.
const addContext: HookCallback<"UserPromptSubmit"> = () => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Today is a Tuesday." },
});

const { text: answer } = await collect({
  prompt: "Tidy up.",
  options: {
    ...place.options,
    tools: ["Bash"],
    allowedTools: ["Bash"],
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [guard] }],
      PostToolUse: [{ hooks: [record] }],
      UserPromptSubmit: [{ hooks: [addContext] }],
    },
  },
});
console.log(answer);
