import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { s3Credentials, startS3 } from "@reins/test-servers/s3";
import { expect, test, vi } from "vitest";
import { exampleCommand } from "../../../scripts/example-command.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

const folder = join(import.meta.dirname, "..");

test("the README shows the example as it is", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const example = await readFile(join(folder, "examples", "keep-in-s3.ts"), "utf8");
  expect(readme).toContain(`<!-- examples/keep-in-s3.ts -->\n\`\`\`ts\n${example}\`\`\`\n`);
});

test("the example runs against an endpoint from the environment, and prints what the README says", async () => {
  await using server = await startS3({ enforceConditions: true });
  const env = {
    PATH: process.env["PATH"],
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    BUCKET: server.bucket,
  };
  const command = exampleCommand(join(folder, "examples", "keep-in-s3.ts"));
  const { stdout, stderr } = await promisify(execFile)(...command, { env, timeout: 200_000 });
  expect(stderr).toBe("");
  expect(stdout).toBe('2 parts became 1\n2 entries, "A first try", began with "Hello"\n');
  const readme = await readFile(join(folder, "README.md"), "utf8");
  for (const line of stdout.trim().split("\n")) expect(readme).toContain(line);
});
