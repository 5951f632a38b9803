import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { toLauncher } from "../src/scripted-cli/launcher.ts";

/** Runs a launcher whose Node.js lies in a folder of this name, as a program and as a module, and returns what it printed. */
async function launchWith(name: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "reins-launcher-"));
  try {
    const node = join(folder, name, "node");
    await mkdir(join(folder, name));
    await symlink(process.execPath, node);
    const main = join(folder, "main.mjs");
    await writeFile(main, "export const main = (folder) => console.log(folder, ...process.argv.slice(2));");
    const text = toLauncher(node, pathToFileURL(main).href, 'a "folder"');
    const paths = [join(folder, "claude"), join(folder, "claude.mjs")];
    for (const path of paths) await writeFile(path, text, { mode: 0o755 });
    const run = promisify(execFile);
    const outputs = await Promise.all(paths.map((path) => run(path, ["--flag", "it's"], { env: {}, timeout: 20_000 })));
    return outputs.map(({ stdout }) => stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("a launcher", () => {
  test.each(["plain", "with space", "it's 'quoted'", "x".repeat(200)])(
    "starts Node.js in a folder named %j",
    async (name) => {
      expect(await launchWith(name)).toEqual(Array(2).fill(`a "folder" --flag it's\n`));
    },
  );

  test("needs no shell where the path is plain", () => {
    expect(toLauncher("/usr/bin/node", "file:///main.js", "/tmp/x")).toBe(
      '#!/usr/bin/node\nimport("file:///main.js").then(({ main }) => main("/tmp/x"));\n',
    );
  });
});
