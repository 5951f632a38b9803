import type { Report } from "./audit.ts";
import { type Section, sections } from "./sections.ts";

export const outputs: Readonly<Record<string, (report: Report) => string>> = {
  json: (report) => JSON.stringify(report, undefined, 2).replaceAll(/\p{Cc}/gu, escapeControl),
  table: (report) =>
    [...sections(report).map(table), ...report.problems.map((problem) => printable(problem))].join("\n\n"),
  html: page,
};

function table({ title, columns, rows }: Section): string {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => printable(cell, 48)));
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const format = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return [title, ...lines.map(format)].join("\n");
}

/** Transcripts hold what a model wrote, which must not reach a terminal as a command. */
function printable(text: string, maxWidth: number = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ");
  const characters = [...line];
  return characters.length > maxWidth ? `${characters.slice(0, maxWidth - 1).join("")}…` : line;
}

/** JSON leaves some control characters as they are. The newlines are its own. */
function escapeControl(character: string): string {
  return character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function page(report: Report): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What the sessions used</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
  table { border-collapse: collapse }
  th, td { border-bottom: 1px solid #8886; padding: 0.2rem 0.8rem; text-align: right; white-space: nowrap }
  :is(th, td):first-child { text-align: left; white-space: normal; overflow-wrap: anywhere }
  rect { fill: #3a76d8 }
  text { fill: CanvasText; font-size: 13px }
</style>
<h1>What the sessions used</h1>
${sections(report).map(section).join("\n")}
${report.problems.length > 0 ? `<h2>Not read</h2>\n<ul>${report.problems.map((problem) => `<li>${toHtml(problem)}`).join("")}</ul>` : ""}
</html>
`;
}

function section({ title, columns, rows, chart }: Section): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${toHtml(cell)}</${tag}>`).join("")}</tr>`;
  return `<h2>${toHtml(title)}</h2>
${bars(
  chart,
  rows.map(([name = ""]) => name),
)}
<table>
${row(columns, "th")}
${rows.map((cells) => row(cells, "td")).join("\n")}
</table>`;
}

/** A bar for each of the first values; the table has all. */
function bars({ of, values }: Section["chart"], names: readonly string[]): string {
  const shown = values.slice(0, 30);
  const max = Math.max(...shown);
  if (!(max > 0)) return "";
  const bar = (value: number, i: number): string => {
    const y = i * 22;
    const label = toHtml((names[i] ?? "").slice(0, 40));
    return `<text x="290" y="${y + 15}" text-anchor="end">${label}</text><rect x="300" y="${y + 3}" width="${(value / max) * 400}" height="16"><title>${value}</title></rect>`;
  };
  return `<p>${toHtml(of)}</p>
<svg role="img" aria-label="${toHtml(of)}" viewBox="0 0 720 ${shown.length * 22}" width="720">${shown.map(bar).join("")}</svg>`;
}

function toHtml(text: string): string {
  const references: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? "");
}
