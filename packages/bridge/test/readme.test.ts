import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");

// That they run is shown in hosts.test.ts.
test.each([
  ["examples/bridge.ts", "ts"],
  ["examples/host.py", "python"],
])("the README shows %s as it is", async (example, language) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const code = await readFile(join(folder, example), "utf8");
  expect(readme).toContain(`<!-- ${example} -->\n\`\`\`${language}\n${code}\`\`\`\n`);
});
