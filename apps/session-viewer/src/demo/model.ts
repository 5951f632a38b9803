import { type ModelScript, text, thinking, toolUse } from "@reins/testkit";

/** The model of the demo: asks to run a command, which is a question in the page, and makes an answer of what came of it. */
export const demoModel: ModelScript = ({ toolResults, userText }) => {
  const [result] = toolResults;
  if (result !== undefined) {
    return result.isError
      ? text("Then I leave it.")
      : text("The command ", "said:\n\n", `\`\`\`\n${result.text}\n\`\`\``);
  }
  return [
    thinking(`The prompt is: ${userText.slice(-80)}`),
    text("I will count the files first."),
    toolUse("Bash", { command: "ls -A | wc -l > count.txt && cat count.txt", description: "Count the files" }),
  ];
};
