import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "@reins/test-servers/postgres";
import { expect, test } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

const folder = join(import.meta.dirname, "..");

test.each([
  ["keep-sessions.ts", "ts"],
  ["grants.sql", "sql"],
  ["row-level-security.sql", "sql"],
  ["delete-by-age.sql", "sql"],
])("the README shows %s as it is", async (name, language) => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const example = await readFile(join(folder, "examples", name), "utf8");
  expect(readme).toContain(`<!-- examples/${name} -->\n\`\`\`${language}\n${example}\`\`\`\n`);
});

test("the example runs", async () => {
  await using server = await startPostgres();
  const { stdout, stderr } = await promisify(execFile)(
    ...exampleCommand(join(folder, "examples", "keep-sessions.ts")),
    { env: { ...process.env, PGHOST: server.host, PGPORT: String(server.port), PGUSER: "postgres" }, timeout: 30_000 },
  );
  expect(stderr).toBe("");
  expect(stdout).toBe("A first try, began with Hello\n");
});
