import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseMessage } from "../src/index.ts";
import { anys, describe, isValid } from "./user-program/program.ts";

const packages = join(import.meta.dirname, "..", "..");
const compiler = join(packages, "..", "node_modules", "typescript", "bin", "tsc");

const entries = ["streamjson/src/index.ts", "messages/src/index.ts", "messages/src/schemas/index.ts"];

async function compile(folder: string, name: string, config: object): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(config));
  // The compiler tells its errors on stdout, and its exit code says that there are some.
  const done = promisify(execFile)(process.execPath, [compiler, "--pretty", "false", "-p", file], { timeout: 60_000 });
  return await done.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? String(error),
  );
}

test("a user's program compiles strictly against the declarations, with skipLibCheck off", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "reins-user-types-"));
  try {
    const options = { target: "ES2022", module: "NodeNext", lib: ["ES2023", "ESNext.Disposable", "DOM"], types: [] };
    const declarations = await compile(folder, "declarations", {
      extends: join(packages, "..", "tsconfig.base.json"),
      compilerOptions: {
        noCheck: true,
        noEmit: false,
        emitDeclarationOnly: true,
        rootDir: packages,
        outDir: join(folder, "types"),
      },
      files: entries.map((entry) => join(packages, entry)),
    });
    expect(declarations).toBe("");
    const emitted = join(folder, "types");
    const program = await compile(folder, "program", {
      compilerOptions: {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        paths: {
          "@reins/messages": [join(emitted, "messages", "src", "index.d.ts")],
          "@reins/messages/schemas": [join(emitted, "messages", "src", "schemas", "index.d.ts")],
          "@reins/streamjson": [join(emitted, "streamjson", "src", "index.d.ts")],
          zod: [join(packages, "messages", "node_modules", "zod", "index.d.ts")],
        },
      },
      files: [join(import.meta.dirname, "user-program", "program.ts")],
    });
    expect(program).toBe("");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the program runs", () => {
  expect(anys).not.toContain(true);
  expect(isValid({ type: "assistant" })).toBe(false);
  expect(isValid({ type: "a_type_of_tomorrow" })).toBe(true);
  const parsed = parseMessage({ type: "system", subtype: "init", model: "claude-test" });
  expect(parsed.kind === "message" && describe(parsed.message)).toBe("claude-test");
});
