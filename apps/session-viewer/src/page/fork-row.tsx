import type { JSX } from "preact";
import type { Branch, Fork } from "./conversation-tree.ts";
import { formatClock, formatDay } from "./format.ts";

export interface ForkRowProps {
  readonly fork: Fork;
  readonly index: number;
  readonly count: number;
  readonly isCurrent: boolean;
  /** Asks for the branch so many places on. */
  readonly onTurn: (step: number) => void;
}

/** Stands above the first message of a branch, and leads to the others. */
export function ForkRowView({ fork, index, count, isCurrent, onTurn }: ForkRowProps): JSX.Element {
  const place = `${fork.chosen + 1} of ${fork.branches.length}`;
  return (
    <article
      class={`row fork${isCurrent ? " current" : ""}`}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-label={`Branch ${place}`}
      aria-current={isCurrent ? "true" : undefined}
    >
      <div class="gutter" />
      <div class="body">
        <button
          type="button"
          class="button"
          aria-label="Previous branch"
          title="Previous branch ([)"
          onClick={() => onTurn(-1)}
        >
          ‹
        </button>
        <span class="place" role="status" aria-label={`Branch ${place}`}>
          {fork.chosen + 1}/{fork.branches.length}
        </span>
        <button type="button" class="button" aria-label="Next branch" title="Next branch (])" onClick={() => onTurn(1)}>
          ›
        </button>
        <span class="muted">{captionOf(fork.branches[fork.chosen])}</span>
      </div>
    </article>
  );
}

function captionOf(branch: Branch | undefined): string {
  if (branch?.talks === false) return "taken back to here, and left";
  return branch?.time === undefined ? "branch" : `branch · ${formatDay(branch.time)} ${formatClock(branch.time)}`;
}
