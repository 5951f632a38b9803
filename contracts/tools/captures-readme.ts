import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Capture, goldenFolder, readCaptures } from "./capture-files.ts";

/** The README of the captures. */
export const capturesReadme: string = join(goldenFolder, "..", "README.md");

/** The rows of its table, one for each capture of a folder. */
export function toRows(captures: readonly Capture[]): string[] {
  return captures.map(({ name, facts }) => `| ${name} | ${facts.shows.replaceAll("|", "\\|")} |`);
}

/** Writes the table anew from the index. */
export async function updateReadme(): Promise<void> {
  const rows = toRows(await readCaptures(goldenFolder));
  const table = ["| capture | shows |", "| --- | --- |", ...rows].join("\n");
  const text = await readFile(capturesReadme, "utf8");
  const places = /(<!-- scenarios -->\n)[\s\S]*(<!-- \/scenarios -->)/;
  await writeFile(
    capturesReadme,
    text.replace(places, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
  );
}
