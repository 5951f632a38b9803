import type { ModelTotal, SessionUsage, TokenUsage } from "@reins/sessions";

const noTokens: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  responses: 0,
};

/** What nothing used. */
export const noUsage: SessionUsage = { tokens: noTokens, byModel: {}, byDay: {} };

/** What two sessions used together. Costs are the sum of those that are known. */
export function addUsage(one: SessionUsage, other: SessionUsage): SessionUsage {
  const totalCostUsd = sumOf(one.totalCostUsd, other.totalCostUsd);
  const modelTotals = merge(one.modelTotals ?? {}, other.modelTotals ?? {}, addTotals);
  return {
    tokens: addTokens(one.tokens, other.tokens),
    byModel: merge(one.byModel, other.byModel, addTokens),
    byDay: merge(one.byDay, other.byDay, (models, more) => merge(models, more, addTokens)),
    ...(totalCostUsd !== undefined && { totalCostUsd }),
    ...(Object.keys(modelTotals).length > 0 && { modelTotals }),
  };
}

function addTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadInputTokens: one.cacheReadInputTokens + other.cacheReadInputTokens,
    cacheCreationInputTokens: one.cacheCreationInputTokens + other.cacheCreationInputTokens,
    responses: one.responses + other.responses,
  };
}

function addTotals(one: ModelTotal, other: ModelTotal): ModelTotal {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadInputTokens: one.cacheReadInputTokens + other.cacheReadInputTokens,
    cacheCreationInputTokens: one.cacheCreationInputTokens + other.cacheCreationInputTokens,
    webSearchRequests: one.webSearchRequests + other.webSearchRequests,
    costUsd: one.costUsd + other.costUsd,
  };
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

// Built from pairs: a model may call itself `__proto__`.
function merge<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  add: (one: Value, other: Value) => Value,
): Record<string, Value> {
  const sums = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    const earlier = sums.get(name);
    sums.set(name, earlier === undefined ? value : add(earlier, value));
  }
  return Object.fromEntries(sums);
}
