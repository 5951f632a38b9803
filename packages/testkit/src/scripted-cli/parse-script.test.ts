import { describe, expect, expectTypeOf, test } from "vitest";
import { CliScriptError, parseCliScript } from "./parse-script.ts";
import type { CliScript } from "./script.ts";

describe("parseCliScript", () => {
  test("gives a checked script its type", () => {
    const json = '{"steps":[{"do":"init"},{"do":"read","match":{"type":"user"},"as":"u-1"},{"do":"exit","code":0}]}';

    const script = parseCliScript(JSON.parse(json));

    expectTypeOf(script).toEqualTypeOf<CliScript>();
    expect(script.steps.map((step) => step.do)).toEqual(["init", "read", "exit"]);
  });

  test.each([
    [null, "A script is an object with an array of steps."],
    [{ steps: "none" }, "A script is an object with an array of steps."],
    [{ steps: [null] }, "Step 0 of the script is not an object."],
    [{ steps: [{ do: "hang" }, { do: "sing" }] }, 'Step 1 of the script does "sing", which is no step.'],
    [{ steps: [{ do: "toString" }] }, 'Step 0 of the script does "toString", which is no step.'],
    [{ steps: [{}] }, "Step 0 of the script does undefined, which is no step."],
    [{ steps: [{ do: "wait" }] }, 'Step 0 of the script (wait): "ms" is undefined, not a time in ms.'],
    [{ steps: [{ do: "wait", ms: 2 ** 31 }] }, 'Step 0 of the script (wait): "ms" is 2147483648, not a time in ms.'],
    [{ steps: [{ do: "readEnd", ms: -1 }] }, 'Step 0 of the script (readEnd): "ms" is -1, not a time in ms.'],
    [{ steps: [{ do: "read", match: [] }] }, 'Step 0 of the script (read): "match" is [], not an object.'],
    [{ steps: [{ do: "read", match: {}, as: "a.b" }] }, 'Step 0 of the script (read): "as" is "a.b", not a name.'],
    [
      { steps: [{ do: "text", text: { $repeat: 1 } }] },
      'Step 0 of the script (text): "text" is {"$repeat":1}, not a text.',
    ],
    [
      { steps: [{ do: "trap", signals: "SIGTERM" }] },
      'Step 0 of the script (trap): "signals" is "SIGTERM", not a list of strings.',
    ],
    [{ steps: [{ do: "write", frame: {}, times: 2 }] }, 'Step 0 of the script (write) has no member "times".'],
  ])("refuses %j", (value, message) => {
    expect(() => parseCliScript(value)).toThrow(CliScriptError);
    expect(() => parseCliScript(value)).toThrow(message);
  });
});
