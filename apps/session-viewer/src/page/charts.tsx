import type { JSX } from "preact";
import type { ContextPoint } from "./conversation.ts";
import { formatCount } from "./format.ts";

export interface Bar {
  readonly label: string;
  /** From the bottom up; each part has a class of its own. */
  readonly parts: readonly number[];
  readonly title: string;
}

/** Bars, one per day, each of stacked parts. A reader gets the numbers as a table. */
export function BarChart({
  bars,
  caption,
  format,
  width,
}: {
  readonly bars: readonly Bar[];
  readonly caption: string;
  readonly format: (value: number) => string;
  /** In the units of the text: about the width that it has on the page. */
  readonly width: number;
}): JSX.Element {
  const height = width / 4.5;
  const max = Math.max(...bars.map(total), 0);
  const step = width / Math.max(bars.length, 14);
  const gap = Math.min(4, step / 4);
  // Few bars stand at the right, where the last day is.
  const left = (index: number): number => width - (bars.length - index) * step;
  return (
    <figure class="chart">
      <figcaption>
        {caption}
        <span class="muted">{max > 0 ? `peak ${format(max)}` : "nothing yet"}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 18}`} role="img" aria-label={caption}>
        <line class="axis" x1={0} x2={width} y1={height + 0.5} y2={height + 0.5} />
        <line class="grid" x1={0} x2={width} y1={height / 2 + 0.5} y2={height / 2 + 0.5} />
        {bars.map((bar, index) => (
          <g key={bar.label}>
            <title>{bar.title}</title>
            <rect class="hit" x={left(index)} y={0} width={step} height={height} />
            {stack(bar.parts, max, height).map(({ y, size }, part) => (
              <rect
                key={part}
                class={`part-${part}`}
                x={left(index) + gap / 2}
                y={y}
                width={step - gap}
                height={size}
                rx={1.5}
              />
            ))}
            {index === bars.length - 1 ? (
              <text class="tick" x={width} y={height + 14} text-anchor="end">
                {bar.label}
              </text>
            ) : showsLabel(index, bars.length, step) ? (
              <text class="tick" x={left(index) + gap / 2} y={height + 14}>
                {bar.label}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      <table class="hidden">
        <caption>{caption}</caption>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.label}>
              <th>{bar.label}</th>
              <td>{format(total(bar))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function total(bar: Bar): number {
  return bar.parts.reduce((sum, part) => sum + part, 0);
}

function stack(parts: readonly number[], max: number, height: number): { y: number; size: number }[] {
  let top = height;
  return parts.map((part) => {
    const size = max === 0 ? 0 : (part / max) * (height - 6);
    top -= size;
    return { y: top, size };
  });
}

/** What a label takes, and some air. */
const labelWidth = 40;

/** Not all bars have a label, or labels meet. The last one has. */
function showsLabel(index: number, count: number, step: number): boolean {
  return index % Math.ceil(labelWidth / step) === 0 && (count - index) * step >= 2 * labelWidth;
}

/** Windows that models have. What does not fit into the usual one is in the large one. */
export function windowOf(tokens: number, model: string | undefined): number {
  return tokens > 200_000 || model?.includes("[1m]") === true ? 1_000_000 : 200_000;
}

/** How full the context window is. */
export function ContextMeter({ tokens, size }: { readonly tokens: number; readonly size: number }): JSX.Element {
  const share = Math.min(tokens / size, 1);
  const level = share > 0.9 ? "full" : share > 0.7 ? "high" : "low";
  const text = `${formatCount(tokens)} of ${formatCount(size)} tokens`;
  return (
    <span class="meter" title={`Context window: ${text}`}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`Context window: ${text}`}>
        <rect class="track" width={100} height={6} rx={1} />
        <rect class={`fill ${level}`} width={Math.max(share * 100, tokens > 0 ? 1.5 : 0)} height={6} rx={1} />
      </svg>
      <span>
        {formatCount(tokens)} / {formatCount(size)}
      </span>
    </span>
  );
}

/** The context window over the session. It falls where it was compacted. */
export function ContextChart({ points }: { readonly points: readonly ContextPoint[] }): JSX.Element | null {
  const responses = points.filter(({ compacted }) => !compacted);
  if (responses.length < 2) return null;
  const width = 268;
  const height = 64;
  const peak = responses.reduce((max, { tokens }) => Math.max(max, tokens), 1);
  const x = (index: number): number => (index / (points.length - 1)) * width;
  // A long session has more responses than the chart has columns.
  const step = Math.max(1, Math.floor(points.length / 400));
  const line = points.flatMap(({ tokens, compacted }, index) => {
    const isKept = !compacted && (index % step === 0 || index === points.length - 1);
    return isKept ? [`${x(index).toFixed(1)},${(height - (tokens / peak) * height).toFixed(1)}`] : [];
  });
  const marks = points.flatMap(({ compacted }, index) => (compacted ? [x(index)] : []));
  const text = `${responses.length} responses, peak ${formatCount(peak)}`;
  return (
    <figure class="chart">
      <svg class="context" viewBox={`0 -2 ${width} ${height + 4}`} role="img" aria-label={`Context window: ${text}`}>
        <line class="axis" x1={0} x2={width} y1={height} y2={height} />
        <polygon class="area" points={`${line[0]?.split(",")[0]},${height} ${line.join(" ")} ${width},${height}`} />
        <polyline class="line" points={line.join(" ")} />
        {marks.map((mark) => (
          <line key={mark} class="mark" x1={mark} x2={mark} y1={0} y2={height}>
            <title>Compacted here</title>
          </line>
        ))}
      </svg>
      <figcaption class="muted">{text}</figcaption>
    </figure>
  );
}
