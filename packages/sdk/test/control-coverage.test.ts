import { readFile } from "node:fs/promises";
import { hookEvents } from "@reins/messages";
import { inboundRequestSchemas, outboundRequestSchemas } from "@reins/messages/schemas";
import { expect, test } from "vitest";
import { coveragePage, coverageText } from "./provoked/coverage-table.ts";
import { unreachable } from "./provoked/unreachable.ts";

test("docs/control-coverage.md is what `pnpm --filter @reins/sdk control-coverage` writes", async () => {
  expect(await readFile(coveragePage, "utf8")).toBe(await coverageText());
});

test("what is out of reach is something that there is", () => {
  const names: readonly string[] = [
    ...hookEvents,
    ...Object.keys(outboundRequestSchemas),
    ...Object.keys(inboundRequestSchemas),
  ];
  expect(Object.keys(unreachable).filter((name) => !names.includes(name))).toEqual([]);
});
