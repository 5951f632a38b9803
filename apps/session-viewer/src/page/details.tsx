import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { UsageView } from "../protocol.ts";
import { getJson } from "./api.ts";
import { ContextChart, ContextMeter, windowOf } from "./charts.tsx";
import { formatBytes, formatCost, formatCount, formatPrecise } from "./format.ts";
import { detailsOpen, sessions } from "./state.ts";
import type { Transcript } from "./transcript.ts";
import { DayCharts, Figure } from "./usage-page.tsx";

/** Beside a transcript: what it cost, and how full its context window is. */
export function Details({
  transcript,
  sessionId,
}: {
  readonly transcript: Transcript;
  readonly sessionId: string;
}): JSX.Element {
  const usage = useSignal<UsageView | undefined>(undefined);
  const { context, model } = transcript.view.value;
  const responses = context.length;
  const isLive = transcript.state.value === "live";
  // Counting reads the whole transcript: once it is there, and again with each response.
  useEffect(() => {
    if (!isLive || responses === 0) return;
    const ended = new AbortController();
    getJson<UsageView>(`/sessions/${sessionId}/usage`, ended.signal).then(
      (view) => {
        usage.value = view;
      },
      () => {},
    );
    return () => ended.abort();
  }, [sessionId, isLive, responses, usage]);
  const session = sessions.value?.find((row) => row.sessionId === sessionId);
  const tokens = context.findLast(({ compacted }) => !compacted)?.tokens ?? 0;
  const size = windowOf(Math.max(...context.slice(-2_000).map((point) => point.tokens), 0), model);
  return (
    <aside class="details" aria-label="Details">
      <button
        type="button"
        class="button close"
        onClick={() => {
          detailsOpen.value = false;
        }}
      >
        Close
      </button>
      <section>
        <h2>Context window</h2>
        <ContextMeter tokens={tokens} size={size} />
        <ContextChart points={context} />
      </section>
      {usage.value === undefined ? null : <Totals usage={usage.value} />}
      <section>
        <h2>Session</h2>
        <dl class="facts">
          <Fact name="Id" value={sessionId} />
          {session?.cwd === undefined ? null : <Fact name="Folder" value={session.cwd} />}
          {session?.createdAt === undefined ? null : <Fact name="Begun" value={formatPrecise(session.createdAt)} />}
          {session === undefined ? null : <Fact name="Changed" value={formatPrecise(session.lastModified)} />}
          {session?.fileSize === undefined ? null : <Fact name="Size" value={formatBytes(session.fileSize)} />}
        </dl>
      </section>
    </aside>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Totals({ usage }: { readonly usage: UsageView }): JSX.Element {
  const { tokens, costUsd, byModel, responses } = usage;
  return (
    <section>
      <h2>Usage</h2>
      <dl class="figures">
        <Figure name="Cost" value={costUsd === undefined ? "–" : formatCost(costUsd)} />
        <Figure name="Responses" value={formatCount(responses)} />
        <Figure name="Output" value={formatCount(tokens.output)} />
        <Figure name="Input" value={formatCount(tokens.input + tokens.cacheRead + tokens.cacheWrite)} />
      </dl>
      {Object.keys(byModel).length === 0 ? null : (
        <table class="models">
          <thead>
            <tr>
              <th>Model</th>
              <th>Input</th>
              <th>Cached</th>
              <th>Output</th>
              <th>Cost</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(byModel).map(([model, counts]) => (
              <tr key={model}>
                <th title={model}>{model.replace(/^claude-/, "")}</th>
                <td>{formatCount(counts.input + counts.cacheWrite)}</td>
                <td>{formatCount(counts.cacheRead)}</td>
                <td>{formatCount(counts.output)}</td>
                <td>{counts.costUsd === undefined ? "–" : formatCost(counts.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.keys(usage.byDay).length > 1 ? <DayCharts usages={[usage]} withCost={false} width={268} /> : null}
    </section>
  );
}
