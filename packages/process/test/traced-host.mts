// A host with OpenTelemetry. Prints what children get in several places. A process of its own, since these packages do not load under the
// conditions with which the tests resolve modules.
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import { buildLaunch, type LaunchOptions } from "@reins/process";

const stale = { TRACEPARENT: "00-stale-01", TRACESTATE: "stale=1" };

function traceOf(options: LaunchOptions = {}): Record<string, string | undefined> {
  const { TRACEPARENT, TRACESTATE, BAGGAGE } = buildLaunch(options, { env: stale, locate: () => "/opt/claude" }).env;
  return { TRACEPARENT, TRACESTATE, BAGGAGE };
}

const results: Record<string, unknown> = { unregistered: traceOf() };

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
);
results["outside"] = traceOf();

const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
const baggage = propagation.createBaggage({ user: { value: "u" } });
const active = propagation.setBaggage(trace.setSpanContext(context.active(), span), baggage);
await context.with(active, async () => {
  await new Promise((resolve) => setImmediate(resolve));
  results["inside"] = traceOf();
  results["given"] = traceOf({ env: { TRACEPARENT: "own" } });
  results["removed"] = traceOf({ env: { TRACEPARENT: undefined } });
});

const globals = globalThis as unknown as Record<symbol, unknown>;
const key = Symbol.for("opentelemetry.js.api.1");
const throws = (): never => {
  throw new Error("broken");
};
results["broken"] = [
  null,
  1,
  {},
  { context: {}, propagation: {} },
  { context: { active: throws }, propagation: { inject: throws } },
].map((api) => {
  globals[key] = api;
  return traceOf();
});

process.stdout.write(JSON.stringify(results));
