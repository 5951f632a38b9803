import { useEffect, useRef } from "preact/hooks";
import type { PartRow, Row } from "./conversation.ts";
import type { Transcript } from "./transcript.ts";

/** Goes once to the entry where a search or a link leads, when its row is there; it may be in another branch. */
export function useGoal(
  transcript: Transcript,
  at: number | undefined,
  rows: readonly Row[],
  onFound: (index: number, row: PartRow) => void,
): void {
  const goal = useRef(at);
  const isLive = transcript.state.value === "live";
  useEffect(() => {
    goal.current = at;
  }, [at]);
  useEffect(() => {
    if (at !== undefined && isLive) transcript.reveal(at);
  }, [transcript, at, isLive]);
  useEffect(() => {
    if (goal.current === undefined) return;
    const isGoal = (row: Row): boolean => {
      return "stub" in row && (row.stub.at === goal.current || row.result?.at === goal.current);
    };
    const index = rows.findIndex(isGoal);
    const row = rows[index];
    if (row === undefined || "fork" in row) return;
    goal.current = undefined;
    onFound(index, row);
  });
}
