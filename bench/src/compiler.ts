import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { alternate, startClock } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";

/**
 * What the compiler needs for a small program of a user: a query, its options, and messages told apart. The published declarations are
 * read, with skipLibCheck: the official ones do not pass without the packages that they name.
 */
export const compiler: Row = {
  name: "compiler",
  title: "The compiler, for a small program of a user",
  measure,
};

async function measure(effort: Effort): Promise<Samples[]> {
  // In this package, so that both names resolve.
  const folder = await mkdtemp(join(import.meta.dirname, "../.types-"));
  try {
    const ours = await writeProgram(folder, "ours", "@reins/sdk");
    const official = await writeProgram(folder, "official", "@anthropic-ai/claude-agent-sdk");
    return await alternate(effort, {
      "@reins/sdk": async () => check(ours),
      "official SDK": async () => check(official),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeProgram(folder: string, name: string, sdk: string): Promise<string> {
  const path = join(folder, `${name}.ts`);
  await writeFile(
    path,
    `import { type Options, query } from "${sdk}";
const options: Options = { model: "haiku", canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }) };
export async function run(): Promise<string[]> {
  const lines: string[] = [];
  for await (const message of query({ prompt: "Hi.", options })) {
    if (message.type === "system" && message.subtype === "init") lines.push(message.model);
    if (message.type === "result" && message.subtype === "success") lines.push(message.result);
  }
  return lines;
}
`,
  );
  return path;
}

function check(path: string): Cost {
  const stop = startClock();
  const program = ts.createProgram([path], {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const errors = ts.getPreEmitDiagnostics(program);
  if (errors.length > 0) throw new Error(ts.flattenDiagnosticMessageText(errors[0]?.messageText ?? "", "\n"));
  return stop();
}
