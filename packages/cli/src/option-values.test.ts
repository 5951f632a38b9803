import { expect, test } from "vitest";
import { each, list, positiveInteger, positiveNumber, wholeNumber } from "./option-values.ts";

test("numbers are numbers", () => {
  expect([positiveInteger("12"), wholeNumber("0"), positiveNumber("1.5"), positiveNumber(".5")]).toEqual([
    12, 0, 1.5, 0.5,
  ]);
  for (const text of ["0", "-1", "1.5", "1e3", "", "x", "9".repeat(20)])
    expect(() => positiveInteger(text)).toThrow("whole number");
  for (const text of ["-1", "1.5", ""]) expect(() => wholeNumber(text)).toThrow("whole number");
  for (const text of ["0", "-1", "1e3", "Infinity", "."]) expect(() => positiveNumber(text)).toThrow("no number");
});

test("a list has commas, or is given several times, and leaves those of rules alone", () => {
  expect(list("Read, Bash(git log:*),")).toEqual(["Read", "Bash(git log:*)"]);
  expect(list("Grep", list("Bash(echo a, b),Read"))).toEqual(["Bash(echo a, b)", "Read", "Grep"]);
  expect(each("b,c", each("a"))).toEqual(["a", "b,c"]);
});
