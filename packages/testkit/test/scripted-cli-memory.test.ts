import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Every module that one reaches through relative imports, and the packages that those import. */
async function importsOf(entry: URL): Promise<{ modules: Set<string>; packages: Set<string> }> {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const pending = [entry];
  for (let url = pending.pop(); url !== undefined; url = pending.pop()) {
    if (modules.has(url.href)) continue;
    modules.add(url.href);
    const source = await readFile(url, "utf8");
    for (const [, name = ""] of source.matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
      if (name.startsWith(".")) pending.push(new URL(name, url));
      else packages.add(name);
    }
  }
  return { modules, packages };
}

test("the memory entry reaches nothing of node", async () => {
  const { modules, packages } = await importsOf(new URL("../src/scripted-cli/memory.ts", import.meta.url));

  expect([...packages]).toEqual(["@reins/streamjson"]);
  expect([...modules].map((href) => href.slice(href.lastIndexOf("/") + 1))).toEqual(
    expect.arrayContaining(["transport-pair.ts", "scripted-cli.ts", "interpreter.js", "replay.ts"]),
  );
});
