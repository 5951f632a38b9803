import { haltTurn, query } from "@reins/sdk";

const session = query({
  prompt: "Tidy up.",
  options: {
    hooks: {
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [
            async ({ tool_input }) => {
              const { command = "" } = tool_input as { command?: string };
              return command.includes("rm -rf") ? haltTurn("That would delete things.") : {};
            },
          ],
        },
      ],
      Stop: [{ hooks: [async () => ({})] }],
    },
  },
});
for await (const message of session) console.log(message.type);
