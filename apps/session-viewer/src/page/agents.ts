import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AgentRow } from "../protocol.ts";
import { getJson } from "./api.ts";
import type { Row } from "./conversation.ts";
import type { Transcript } from "./transcript.ts";

/** The subagents of a session, asked for again when a call starts another one: their transcripts come into being while the session is watched. */
export function useAgents(transcript: Transcript, sessionId: string, agentId: string | undefined): readonly AgentRow[] {
  const agents = useSignal<readonly AgentRow[]>([]);
  const { rows } = transcript.view.value;
  const calls = useMemo(() => rows.reduce((count, row) => count + (isAgentCall(row) ? 1 : 0), 0), [rows]);
  const isNeeded = agentId !== undefined || calls > 0;
  const isLive = transcript.state.value === "live";
  useEffect(() => {
    if (!isNeeded || !isLive) return;
    const ended = new AbortController();
    getJson<AgentRow[]>(`/sessions/${sessionId}/agents`, ended.signal).then(
      (found) => {
        agents.value = found;
      },
      // The calls are there without them.
      () => {},
    );
    return () => ended.abort();
  }, [sessionId, isNeeded, calls, isLive, agents]);
  return agents.value;
}

/** The tools that start subagents, by their names of today and of before. */
function isAgentCall(row: Row): boolean {
  return "stub" in row && (row.stub.name === "Agent" || row.stub.name === "Task");
}
