import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ForkRow, Row } from "./conversation.ts";
import { onKeys } from "./keys.ts";
import type { ListHandle } from "./virtual-list.tsx";

export interface RowKeys {
  readonly rows: readonly Row[];
  /** Index of the row that keys are for; -1 for none yet. */
  readonly current: Signal<number>;
  readonly following: Signal<boolean>;
  readonly handle: { readonly current: ListHandle | undefined };
  /** Opens or closes what is folded, or shows the next branch. */
  readonly onEnter: (row: Row) => void;
  /** Shows the branch so many places behind the one that is shown. */
  readonly onTurn: (row: ForkRow, step: number) => void;
}

/** The keys of the list of rows. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => onKeys(({ key }) => actOn(key, latest.current)), []);
}

/** Tells whether the key was for the list. */
function actOn(key: string, keys: RowKeys): boolean {
  const { rows, current, following } = keys;
  switch (key) {
    case "j":
    case "k":
      show(keys, current.value + (key === "j" ? 1 : -1));
      return true;
    case "g":
    case "G":
      show(keys, key === "g" ? 0 : rows.length - 1);
      return true;
    case "b":
    case "B":
      show(keys, nextFork(rows, current.value, key === "b" ? 1 : -1));
      return true;
    case "[":
    case "]": {
      // That of the branch that the row is in, else the first there is.
      const above = nextFork(rows, current.value + 1, -1);
      const index = above < 0 ? nextFork(rows, current.value, 1) : above;
      const row = rows[index];
      if (row === undefined || !("fork" in row)) return true;
      show(keys, index);
      keys.onTurn(row, key === "[" ? -1 : 1);
      return true;
    }
    case "f":
      following.value = !following.value;
      return true;
    case "Enter":
    case " ": {
      const row = rows[current.value];
      if (row === undefined) return false;
      keys.onEnter(row);
      return true;
    }
    default:
      return false;
  }
}

function show({ rows, current, following, handle }: RowKeys, index: number): void {
  if (index < 0 || index >= rows.length) return;
  current.value = index;
  handle.current?.scrollTo(index);
  handle.current?.focus();
  following.value = index === rows.length - 1;
}

/** Index of the next fork in a direction; -1 where there is none. */
function nextFork(rows: readonly Row[], from: number, step: number): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row !== undefined && "fork" in row) return index;
  }
  return -1;
}
