import { type ModelScript, text, toolUse } from "@reins/testkit";

/** The model of the demo: asks for a tool, and makes an answer of what the tool gave. It knows nothing of the stock itself. */
export const clerk: ModelScript = ({ toolResults, userText }) => {
  const [result] = toolResults;
  if (result !== undefined) return text("The shop says: ", `${result.text}.`);
  if (userText.includes("Sell")) return toolUse("mcp__shop__sell", { item: "apples", pieces: 3 });
  return toolUse("mcp__shop__stock", { item: "apples" });
};
