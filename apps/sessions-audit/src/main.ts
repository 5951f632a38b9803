import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { audit, type Report } from "./audit.ts";
import { outputs } from "./outputs.ts";

const options = {
  "config-dir": { type: "string", default: process.env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude") },
  format: { type: "string", default: "table" },
} as const;

let problem = "";
let configDir = "";
let output: ((report: Report) => string) | undefined;
try {
  const { values } = parseArgs({ options });
  configDir = values["config-dir"];
  if (Object.hasOwn(outputs, values.format)) output = outputs[values.format];
  else problem = `There is no format ${values.format}.`;
} catch (error) {
  problem = error instanceof Error ? error.message : String(error);
}

if (output) {
  console.log(output(await audit(configDir)));
} else {
  const formats = Object.keys(outputs).join("|");
  console.error(`${problem}\nUsage: npm start -- [--config-dir FOLDER] [--format ${formats}]`);
  process.exitCode = 2;
}
