import type { Key } from "../terminal/keys.ts";
import type { LiveRegion } from "../terminal/screen.ts";
import type { Style } from "../text/style.ts";

/** Room that a panel may take, and how it writes. */
export interface PanelRoom {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
}

/** Asks something in the place of the input. */
export interface Panel {
  view(room: PanelRoom): LiveRegion;
  press(key: Key): void;
}

/** Shows panels, one after the other, and gives their answers: `undefined` when it was left, or when the signal aborts. */
export type Ask = <Answer>(make: (answer: (value: Answer | undefined) => void) => Panel) => Promise<Answer | undefined>;
