import { isObject } from "./option-rules.ts";

/** Where `@opentelemetry/api` 1.x keeps what was registered, for all copies of it. */
const globalKey = "opentelemetry.js.api.1";

/**
 * The variables that hand on the trace of the code that is running: `TRACEPARENT`, `TRACESTATE`, and what else the registered
 * propagator writes, in capitals. Empty where no OpenTelemetry API, context manager or propagator is registered, and outside of a span.
 *
 * Nothing is imported for it: the registration is looked up on `globalThis`, as every copy of the API does.
 *
 * @see the official TypeScript SDK 0.3.328, which gives its children the same variables
 */
export function traceContext(): Readonly<Record<string, string>> {
  const carrier: Record<string, unknown> = {};
  try {
    inject(carrier);
  } catch {
    // A propagator of a stranger. Without its trace the session is as good.
    return {};
  }
  const variables: Record<string, string> = {};
  for (const [header, value] of Object.entries(carrier)) {
    if (typeof value === "string") variables[header.toUpperCase()] = value;
  }
  return variables;
}

function inject(carrier: Record<string, unknown>): void {
  // The keys of globalThis are not in its type.
  const api: unknown = (globalThis as unknown as Readonly<Record<symbol, unknown>>)[Symbol.for(globalKey)];
  if (!isObject(api)) return;
  const { context: contexts, propagation } = api;
  if (!hasMethod(contexts, "active") || !hasMethod(propagation, "inject")) return;
  propagation.inject(contexts.active(), carrier, {
    set: (into: Record<string, unknown>, header: string, value: unknown) => {
      into[header] = value;
    },
  });
}

function hasMethod<K extends string>(value: unknown, name: K): value is Record<K, (...args: unknown[]) => unknown> {
  return isObject(value) && typeof value[name] === "function";
}
