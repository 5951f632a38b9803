import { sessionStoreChecks } from "@reins/sessions/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Proof, sizes } from "./conformance-factory.ts";

const proof = new Proof();
beforeAll(() => proof.start({ enforceConditions: false }));
afterAll(() => proof[Symbol.asyncDispose]());

describe("on an endpoint that ignores conditional writes", () => {
  const reason = "the endpoint ignores conditional writes, so the store refuses leases";
  const names = sessionStoreChecks(proof.factory).map(({ name }) => name);
  const skip = Object.fromEntries(names.filter((name) => name.startsWith("lease-")).map((name) => [name, reason]));
  const checks = sessionStoreChecks(proof.factory, { ...sizes, skip });
  test.each(checks.filter((check) => check.skip === undefined))("$name: $title", (check) => check.run(), 500_000);

  test("is spared only leases, and what needs an append of more than one request", () => {
    const skipped = checks.filter((check) => check.skip !== undefined);
    const reasons = new Set([reason, "the factory cannot crash a store"]);
    expect(new Set(skipped.map((check) => check.skip))).toEqual(reasons);
  });
});
