import type { Panel } from "../panels/panel.ts";
import type { Status } from "../session/conversation.ts";
import type { Editor } from "../terminal/editor.ts";
import type { LiveRegion } from "../terminal/screen.ts";
import { plainLine } from "../text/plain-text.ts";
import type { Style } from "../text/style.ts";
import { truncate } from "../text/width.ts";
import { statusLine } from "./status-line.ts";
import type { TurnView } from "./turn-view.ts";

/** What is shown below the transcript. */
interface Shown {
  readonly turn: TurnView | undefined;
  /** Messages that wait. */
  readonly queued: readonly string[];
  /** In the place of the input. */
  readonly panel: Panel | undefined;
  readonly editor: Editor;
  /** In the place of the status. */
  readonly notice: string;
  readonly status: Status;
}

/** Lines of the input that are shown at once. */
const maxInputLines = 10;

/** Sets the live region: the turn that runs, the messages that wait, the input or what is asked, the status. */
export function layout(shown: Shown, width: number, rows: number, style: Style): LiveRegion {
  const { turn, queued, notice } = shown;
  const foot =
    notice === "" ? statusLine(shown.status, width, style) : style.yellow(truncate(plainLine(notice), width));
  const input = inputRegion(shown, width, Math.max(rows - 4, 1), style);
  const waiting = queued.map((text) => style.dim(truncate(`+ ${plainLine(text)}`, width)));
  const room = rows - input.lines.length - waiting.length - 3;
  const running = turn !== undefined && room >= 2 ? turn.live(width, room) : [];
  const above = [...running, ...waiting, ""];
  const cursor = input.cursor && { ...input.cursor, row: input.cursor.row + above.length };
  return { lines: [...above, ...input.lines, "", foot], cursor };
}

function inputRegion({ panel, editor }: Shown, width: number, height: number, style: Style): LiveRegion {
  if (panel !== undefined) return panel.view({ width, height, style });
  const { lines, row, column } = editor.view(width - 2);
  const room = Math.min(height, maxInputLines);
  const start = Math.max(Math.min(row - Math.floor(room / 2), lines.length - room), 0);
  const visible = lines
    .slice(start, start + room)
    .map((line, i) => `${start + i === 0 ? style.cyan(">") : " "} ${line}`);
  return { lines: visible, cursor: { row: row - start, column: column + 2 } };
}
