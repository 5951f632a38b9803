import { pipe, query, tool } from "@reins/sdk";

const add = tool(
  "add",
  "Adds two numbers.",
  { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  ({ a, b }) => String(Number(a) + Number(b)),
);

for await (const message of query({ prompt: "2 + 40", options: pipe("You are a terse calculator.", [add]) }))
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
