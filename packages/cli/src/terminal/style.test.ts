import { expect, test } from "vitest";
import { createStyle } from "./style.ts";

test("colours are for terminals, and not for those who refuse them", () => {
  expect(createStyle(true, {}).red("x")).toBe("\u001b[31mx\u001b[39m");
  expect(createStyle(true, { NO_COLOR: "" }).red("x")).toContain("\u001b");
  expect(createStyle(true, { NO_COLOR: "1" }).red("x")).toBe("x");
  expect(createStyle(true, { TERM: "dumb" }).bold("x")).toBe("x");
  expect(createStyle(false, {}).red("x")).toBe("x");
});
