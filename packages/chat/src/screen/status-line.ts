import type { Status } from "../session/conversation.ts";
import { dollars } from "../text/dollars.ts";
import { plainLine } from "../text/plain-text.ts";
import type { Style } from "../text/style.ts";
import { truncate, widthOf } from "../text/width.ts";

const meterWidth = 8;

/** The line at the bottom. What has no room is left out, the least important first. */
export function statusLine(status: Status, width: number, style: Style): string {
  const { contextPercent, costUsd } = status;
  const mode = plainLine(status.mode ?? "");
  const model = status.model === undefined ? "" : plainLine(status.model);
  const percent = contextPercent === undefined ? "" : `${Math.round(contextPercent)}%`;
  const meter = contextPercent === undefined ? "" : `${bar(contextPercent)} ${percent}`;
  const cost = costUsd === undefined ? "" : dollars(costUsd);
  const shortModel = model.replace(/^claude-/, "").replace(/-\d{8}$/, "");
  const candidates = [
    [model, mode && `mode ${mode}`, meter && `context ${meter}`, cost],
    [shortModel, mode, meter, cost],
    [shortModel, mode, percent, cost],
    [mode, percent, cost],
    [mode, percent],
  ];
  const lines = candidates.map((parts) => parts.filter((part) => part !== "").join(" · "));
  const fitting = lines.find((line) => widthOf(line) <= width) ?? truncate(mode, width);
  const isFull = contextPercent !== undefined && contextPercent >= 80;
  return isFull ? style.yellow(fitting) : style.dim(fitting);
}

function bar(percent: number): string {
  const full = Math.min(Math.max(Math.round((percent / 100) * meterWidth), percent > 0 ? 1 : 0), meterWidth);
  return "█".repeat(full) + "░".repeat(meterWidth - full);
}
