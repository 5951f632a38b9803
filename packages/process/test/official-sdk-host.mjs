// Starts the official SDK with the options in the file that is the first argument. A process of its own, since the SDK writes into the
// environment of its host, and warns of what it finds deprecated.
import { readFileSync } from "node:fs";
import { query } from "@anthropic-ai/claude-agent-sdk";

const options = JSON.parse(readFileSync(process.argv[2], "utf8"));
for await (const _ of query({ prompt: "hi", options }));
