import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Tokens, UsageView } from "../protocol.ts";
import { type Bar, BarChart } from "./charts.tsx";
import { formatCost, formatCount } from "./format.ts";
import { hrefOf, readUsage, sessions } from "./state.ts";

/** What all sessions used, per day and per session. */
export function UsagePage(): JSX.Element {
  const usages = useSignal<readonly UsageView[]>([]);
  const done = useSignal(false);
  useEffect(() => {
    const counted: UsageView[] = [];
    let drawing = 0;
    const draw = (): void => {
      drawing = 0;
      usages.value = [...counted];
    };
    const stop = readUsage(
      (usage) => {
        counted.push(usage);
        // Once per frame, however many came.
        drawing ||= requestAnimationFrame(draw);
      },
      () => {
        draw();
        done.value = true;
      },
    );
    return () => {
      cancelAnimationFrame(drawing);
      stop();
    };
  }, [usages, done]);
  const all = usages.value;
  const cost = all.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const output = all.reduce((sum, { tokens }) => sum + tokens.output, 0);
  const input = all.reduce((sum, { tokens }) => sum + inputOf(tokens), 0);
  const dearest = [...all]
    .sort((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.tokens.output - a.tokens.output)
    .slice(0, 15);
  const titles = new Map(sessions.value?.map(({ sessionId, title }) => [sessionId, title]));
  const most = dearest[0]?.costUsd ?? 0;
  return (
    <div class="usage">
      <h1>Usage</h1>
      <p class="muted" role="status">
        {done.value ? `${all.length} sessions` : `Counting, ${all.length} of ${sessions.value?.length ?? 0} sessions`}
      </p>
      <dl class="figures">
        <Figure name="Cost" value={formatCost(cost)} />
        <Figure name="Output tokens" value={formatCount(output)} />
        <Figure name="Input tokens" value={formatCount(input)} />
        <Figure name="Responses" value={formatCount(all.reduce((sum, { responses }) => sum + responses, 0))} />
      </dl>
      <DayCharts usages={all} withCost />
      <h2>By session</h2>
      <table class="sessions-table">
        <thead>
          <tr>
            <th>Session</th>
            <th>Output</th>
            <th>Cost</th>
          </tr>
        </thead>
        <tbody>
          {dearest.map(({ sessionId, tokens, costUsd }) => (
            <tr key={sessionId}>
              <th>
                <a href={hrefOf({ name: "session", sessionId })}>{titles.get(sessionId) ?? sessionId}</a>
                <svg class="share" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="part-0" width={most === 0 ? 0 : ((costUsd ?? 0) / most) * 100} height={3} />
                </svg>
              </th>
              <td>{formatCount(tokens.output)}</td>
              <td>{costUsd === undefined ? "–" : formatCost(costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted note">
        The CLI notes the cost of a session as a whole; the days share it by their output tokens.
      </p>
    </div>
  );
}

export function Figure({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Tokens, and cost if asked, of each day from the first to the last. */
export function DayCharts({
  usages,
  withCost,
  width = 420,
}: {
  readonly usages: readonly UsageView[];
  readonly withCost: boolean;
  readonly width?: number;
}): JSX.Element {
  const days = daysOf(usages);
  const tokenBars = days.map(({ day, output, input }): Bar => {
    return {
      label: labelOf(day),
      parts: [output],
      title: `${day}: ${formatCount(output)} output, ${formatCount(input)} input tokens`,
    };
  });
  const costBars = days.map(
    ({ day, cost }): Bar => ({ label: labelOf(day), parts: [cost], title: `${day}: ${formatCost(cost)}` }),
  );
  return (
    <div class="charts">
      <BarChart bars={tokenBars} width={width} caption="Output tokens per day" format={formatCount} />
      {withCost ? <BarChart bars={costBars} width={width} caption="Cost per day" format={formatCost} /> : null}
    </div>
  );
}

interface Day {
  readonly day: string;
  output: number;
  input: number;
  cost: number;
}

/** At most so many days, the last ones: a bar is still a bar then. */
const maxDays = 60;

function daysOf(usages: readonly UsageView[]): readonly Day[] {
  const days = new Map<string, Day>();
  for (const { byDay, costUsd = 0 } of usages) {
    const outputs = Object.values(byDay).reduce((sum, { output }) => sum + output, 0);
    for (const [day, tokens] of Object.entries(byDay)) {
      const total = days.get(day) ?? { day, output: 0, input: 0, cost: 0 };
      total.output += tokens.output;
      total.input += inputOf(tokens);
      total.cost += outputs === 0 ? 0 : (costUsd * tokens.output) / outputs;
      days.set(day, total);
    }
  }
  const known = [...days.keys()].filter((day) => /^\d{4}-\d\d-\d\d$/.test(day)).sort();
  const last = Date.parse(known.at(-1) ?? "");
  const first = Math.max(Date.parse(known[0] ?? ""), last - (maxDays - 1) * 86_400_000);
  const all: Day[] = [];
  // Days without work are days, too.
  for (let time = first; time <= last; time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push(days.get(day) ?? { day, output: 0, input: 0, cost: 0 });
  }
  return all;
}

function inputOf({ input, cacheRead, cacheWrite }: Tokens): number {
  return input + cacheRead + cacheWrite;
}

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

function labelOf(day: string): string {
  return short.format(Date.parse(day));
}
