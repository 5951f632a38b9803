import type { ModelTotal, SessionUsage, TokenUsage } from "@reins/sessions";
import type { Tokens, UsageView } from "../protocol.ts";
import type { Library } from "./library.ts";

interface Counted {
  readonly sessionId: string;
  readonly lastModified: number;
}

/** Reads what sessions used. Whole transcripts are read for it, so what did not change is remembered. */
export function createUsageReader(
  library: Library,
): (session: Counted, signal: AbortSignal) => Promise<UsageView | undefined> {
  const known = new Map<string, { readonly lastModified: number; readonly usage: UsageView }>();
  return async ({ sessionId, lastModified }, signal) => {
    const before = known.get(sessionId);
    if (before?.lastModified === lastModified) return before.usage;
    const key = await library.find(sessionId);
    if (key === undefined) return undefined;
    const usage = toUsageView(sessionId, await library.usage(key, signal));
    known.set(sessionId, { lastModified, usage });
    return usage;
  };
}

function toUsageView(sessionId: string, usage: SessionUsage): UsageView {
  const { tokens, byDay, byModel, modelTotals = {}, totalCostUsd } = usage;
  const models = new Set([...Object.keys(byModel), ...Object.keys(modelTotals)]);
  return {
    sessionId,
    tokens: toTokens(tokens),
    responses: tokens.responses,
    ...(totalCostUsd === undefined ? {} : { costUsd: totalCostUsd }),
    byDay: Object.fromEntries(Object.entries(byDay).map(([day, of]) => [day, sum(Object.values(of).map(toTokens))])),
    byModel: Object.fromEntries(
      [...models].map((model) => {
        const total = modelTotals[model];
        const counted = byModel[model] ?? total;
        return [
          model,
          {
            ...(counted === undefined ? sum([]) : toTokens(counted)),
            ...(total === undefined ? {} : { costUsd: total.costUsd }),
          },
        ];
      }),
    ),
  };
}

function toTokens(usage: TokenUsage | ModelTotal): Tokens {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheCreationInputTokens,
  };
}

function sum(all: readonly Tokens[]): Tokens {
  const total = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const tokens of all) {
    total.input += tokens.input;
    total.output += tokens.output;
    total.cacheRead += tokens.cacheRead;
    total.cacheWrite += tokens.cacheWrite;
  }
  return total;
}
