import type { Ask, Panel } from "./panel.ts";

/** A panel that waits for its answer. */
interface OpenPanel {
  readonly panel: Panel;
  /** Takes it away without an answer. */
  cancel(): void;
}

/** The panels that wait for an answer, of which the first is shown. */
export class PanelQueue {
  readonly #onChange: () => void;
  readonly #open: OpenPanel[] = [];
  #isClosed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get first(): OpenPanel | undefined {
    return this.#open[0];
  }

  /** Panels of one question come one after the other; those of several wait in a row. */
  askFor(signal: AbortSignal | undefined): Ask {
    return (make) =>
      new Promise((resolve) => {
        if (signal?.aborted || this.#isClosed) {
          resolve(undefined);
          return;
        }
        const settle = (value: Parameters<typeof resolve>[0]): void => {
          const at = this.#open.indexOf(open);
          if (at < 0) return;
          this.#open.splice(at, 1);
          signal?.removeEventListener("abort", open.cancel);
          resolve(value);
          this.#onChange();
        };
        const open: OpenPanel = { panel: make(settle), cancel: () => settle(undefined) };
        signal?.addEventListener("abort", open.cancel);
        this.#open.push(open);
        this.#onChange();
      });
  }

  /** Leaves all of them, and those that are still to come. */
  close(): void {
    this.#isClosed = true;
    for (const open of [...this.#open]) open.cancel();
  }
}
