import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonSchemas } from "./json-schemas.ts";

/** Where the JSON Schemas are committed. */
export const schemaFolder: string = join(import.meta.dirname, "..", "schemas");

/** Names the files that are not as the zod schemas say: changed, missing, or not made any more. */
export async function staleSchemaFiles(folder: string): Promise<string[]> {
  const wanted = schemaTexts();
  const present = await readdir(folder).catch((): string[] => []);
  const stale = new Set(present.filter((file) => !wanted.has(file)));
  for (const [file, text] of wanted) {
    // A checkout on Windows may have changed the ends of lines.
    const is = present.includes(file)
      ? (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n")
      : undefined;
    if (is !== text) stale.add(file);
  }
  return [...stale].sort();
}

/** Writes the files, and removes those that are not made any more. */
export async function writeSchemaFiles(folder: string): Promise<string[]> {
  const stale = await staleSchemaFiles(folder);
  const wanted = schemaTexts();
  await mkdir(folder, { recursive: true });
  for (const file of stale) {
    const text = wanted.get(file);
    await (text === undefined ? rm(join(folder, file)) : writeFile(join(folder, file), text));
  }
  return stale;
}

function schemaTexts(): Map<string, string> {
  return new Map([...jsonSchemas()].map(([file, content]) => [file, `${formatJson(content)}\n`]));
}

// What is short goes on one line: half the lines, and a diff with one field per line.
function formatJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`);
  if (items.length === 0) return `${open}${close}`.replaceAll(" ", "");
  const line = `${open}${items.join(", ")}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= 110) return line;
  return `${open.trim()}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close.trim()}`;
}
