import { sessionStoreChecks } from "@reins/sessions/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Proof, sizes } from "./conformance-factory.ts";

const proof = new Proof();
beforeAll(() => proof.start({ enforceConditions: true }));
afterAll(() => proof[Symbol.asyncDispose]());

describe("on an endpoint that enforces conditional writes", () => {
  const checks = sessionStoreChecks(proof.factory, sizes);
  test.each(checks.filter(({ skip }) => skip === undefined))("$name: $title", (check) => check.run(), 500_000);

  test("is spared only what needs an append of more than one request", () => {
    const skipped = checks.filter(({ skip }) => skip !== undefined);
    expect(new Set(skipped.map(({ skip }) => skip))).toEqual(new Set(["the factory cannot crash a store"]));
  });
});
