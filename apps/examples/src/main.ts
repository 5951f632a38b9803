// One example by its name: `npm start query`, or `npm start query -- --live`.

const examples: Readonly<Record<string, () => Promise<unknown>>> = {
  agents: () => import("./agents.ts"),
  "custom-tool": () => import("./custom-tool.ts"),
  "filesystem-agents": () => import("./filesystem-agents.ts"),
  hooks: () => import("./hooks.ts"),
  interrupt: () => import("./interrupt.ts"),
  "max-budget": () => import("./max-budget.ts"),
  options: () => import("./options.ts"),
  "partial-messages": () => import("./partial-messages.ts"),
  "permission-callback": () => import("./permission-callback.ts"),
  plugin: () => import("./plugin.ts"),
  query: () => import("./query.ts"),
  sessions: () => import("./sessions.ts"),
  "setting-sources": () => import("./setting-sources.ts"),
  stderr: () => import("./stderr.ts"),
  "streaming-mode": () => import("./streaming-mode.ts"),
  "structured-output": () => import("./structured-output.ts"),
  "system-prompt": () => import("./system-prompt.ts"),
  thinking: () => import("./thinking.ts"),
  "tools-option": () => import("./tools-option.ts"),
};

const name = process.argv[2] ?? "";
const run = Object.hasOwn(examples, name) ? examples[name] : undefined;
if (run) {
  await run();
} else {
  console.error(`Usage: npm start EXAMPLE [-- --live]\nExamples: ${Object.keys(examples).join(", ")}`);
  process.exitCode = 2;
}
