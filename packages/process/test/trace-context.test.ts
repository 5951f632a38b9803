import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const stale = { TRACEPARENT: "00-stale-01", TRACESTATE: "stale=1" };

test("a child gets the trace of the code that starts it, where OpenTelemetry is registered", () => {
  const host = fileURLToPath(new URL("./traced-host.mts", import.meta.url));
  const output = execFileSync(process.execPath, ["--import", "tsx", "-C", "@reins/source", host], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({
    // What the host was given is as good as nothing better.
    unregistered: stale,
    outside: stale,
    // No part of an older trace is left.
    inside: { TRACEPARENT: traceparent, BAGGAGE: "user=u" },
    given: { TRACEPARENT: "own", BAGGAGE: "user=u" },
    removed: { BAGGAGE: "user=u" },
    // What does not work is as good as not there.
    broken: [stale, stale, stale, stale, stale],
  });
});
