import { listSessions, type SessionInfo } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { table } from "../terminal/table.ts";
import { openPlace, type PlaceOptions } from "./place.ts";

/** Options of `sessions ls`. */
export interface ListOptions extends PlaceOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly archived?: boolean;
}

/** `reins sessions ls` */
export async function list(context: Context, options: ListOptions): Promise<number> {
  await using place = await openPlace(context, options);
  await context.progress.show("Reading sessions ...");
  const { limit = Number.POSITIVE_INFINITY, offset = 0, archived = false } = options;
  // Which are archived is known when they were read, so that a page is cut afterwards.
  const all = await listSessions(archived ? { ...place.location, limit: options.limit, offset } : place.location);
  const page = archived ? all : all.filter((info) => info.archived !== true).slice(offset, offset + limit);
  await context.progress.clear();
  if (context.json) for (const info of page) await context.writeJson(info);
  else if (page.length > 0) await context.out.write(asTable(context, page));
  else await context.note("There are no sessions here. Look elsewhere with --dir, --config-dir or --store.");
  return place.hadProblem() ? exitCodes.failed : exitCodes.ok;
}

/** Of a prompt so much is enough to know it again; a terminal may have less room. */
const summaryLength = 100;

function asTable({ out, style }: Context, sessions: readonly SessionInfo[]): string {
  const folders = new Set(sessions.map(({ cwd }) => cwd));
  const columns = [
    { title: "SESSION" },
    { title: "CHANGED" },
    { title: "TAG" },
    { title: "FOLDER" },
    { title: "SUMMARY" },
  ];
  const rows = sessions.map(({ sessionId, lastModified, tag = "", cwd = "", summary, archived }) => [
    printableLine(sessionId, 40),
    formatTime(lastModified),
    printableLine(tag, 16),
    printableLine(cwd, 40),
    printableLine(archived === true ? `(archived) ${summary}` : summary, summaryLength),
  ]);
  // What is the same in every row, or nowhere, tells nothing.
  const isShown = (index: number): boolean =>
    (index !== 2 || sessions.some(({ tag }) => tag !== undefined)) && (index !== 3 || folders.size > 1);
  const shown = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, index) => isShown(index));
  const lines = table(shown(columns), rows.map(shown)).split("\n");
  const cut = (line: string): string => (out.isTerminal ? printableLineKeepingSpaces(line, out.columns) : line);
  return lines.map((line, index) => (index === 0 ? style.bold(cut(line)) : cut(line))).join("\n");
}

function printableLineKeepingSpaces(line: string, columns: number): string {
  const characters = [...line];
  return characters.length <= columns ? line : `${characters.slice(0, columns - 1).join("")}…`;
}

/** Local time, to the minute. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
