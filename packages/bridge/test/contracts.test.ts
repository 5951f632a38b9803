import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { conformanceScripts } from "../src/conformance/index.ts";
import { bridgeJsonSchema } from "../src/index.ts";

const contracts = join(import.meta.dirname, "..", "..", "..", "contracts");
const regenerate = "Run vitest on this file with --update, and look at the diff.";

// `toMatchFileSnapshot` writes the files anew with --update.
test("the committed JSON Schemas are what the code checks", async () => {
  const text = `${JSON.stringify(bridgeJsonSchema(), undefined, 2)}\n`;
  await expect(text, regenerate).toMatchFileSnapshot(join(contracts, "bridge", "bridge-v1.schema.json"));
});

test.each(conformanceScripts)("the committed script $name is that of the kit", async (script) => {
  const text = `${JSON.stringify(script, undefined, 2)}\n`;
  await expect(text, regenerate).toMatchFileSnapshot(join(contracts, "bridge", "conformance", `${script.name}.json`));
});

describe("the JSON Schemas", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addSchema(bridgeJsonSchema());
  const validate = (definition: string, value: unknown): boolean =>
    ajv.validate(`bridge-v1.schema.json#/$defs/${definition}`, value);

  test("take what the scripts write, and nothing else of a host", () => {
    const written = conformanceScripts.flatMap(({ plays, steps }) =>
      steps.flatMap((step) =>
        "write" in step && !JSON.stringify(step).includes("$use") ? [{ plays, message: step.write }] : [],
      ),
    );
    const refused = written.filter(
      ({ plays, message }) => !validate(plays === "host" ? "HostMessage" : "BridgeMessage", message),
    );
    // What is there to be refused, and a message of a later version.
    expect(refused.map(({ message }) => message["type"]).sort()).toEqual(
      ["bash_command", "control_request", "open", "send", "update_environment_variables", "user", "weather"].sort(),
    );
    expect(written.length).toBeGreaterThan(50);
  });

  test("name each message that the page describes", async () => {
    const page = await readFile(join(contracts, "bridge-v1.md"), "utf8");
    const { $defs } = bridgeJsonSchema() as { $defs: Record<string, unknown> };
    const types = Object.keys($defs).flatMap((name) => /^(?:HostMessage|BridgeMessage)_(.+)$/.exec(name)?.[1] ?? []);
    expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
    const codes =
      JSON.stringify($defs["BridgeMessage_error"])
        .match(/"enum":\[([^\]]*)\]/)?.[1]
        ?.replaceAll('"', "")
        .split(",") ?? [];
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
