import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@reins/test-servers/postgres";
import { startRedis } from "@reins/test-servers/redis";
import { s3Credentials, startS3 } from "@reins/test-servers/s3";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BuiltCli, buildCli } from "./built-cli.ts";

let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

const projectKey = "-srv-project";

/** A configuration folder with one session, and a way to run the command on it. */
async function createHome(env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "reins-cli-stores-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sessionId = randomUUID();
  const project = join(folder, "config", "projects", projectKey);
  await mkdir(project, { recursive: true });
  const message = { role: "user", content: "Where is VAT computed?" };
  const entry = {
    type: "user",
    uuid: randomUUID(),
    parentUuid: null,
    sessionId,
    cwd: "/srv/project",
    timestamp: "2026-01-01T10:00:00Z",
    message,
  };
  await writeFile(join(project, `${sessionId}.jsonl`), `${JSON.stringify(entry)}\n`);
  const reins = (...args: readonly string[]) =>
    cli.run(args, { cwd: folder, env: { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, "config"), ...env } });
  const json = async (...args: readonly string[]): Promise<unknown[]> => {
    const { code, stdout, stderr } = await reins(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));
  };
  return { reins, json, sessionId };
}

/** What can be done with a store of any kind. */
async function useStore(store: string, env?: Readonly<Record<string, string>>): Promise<void> {
  const { json, reins, sessionId } = await createHome(env);
  const there = ["--store", store, "--project", projectKey];
  expect(await json("sessions", "import", sessionId, "--store", store)).toMatchObject([{ appended: 1, projectKey }]);
  expect(await json("sessions", "ls", ...there)).toMatchObject([{ sessionId, firstPrompt: "Where is VAT computed?" }]);
  expect(await json("sessions", "verify", sessionId, ...there)).toMatchObject([{ ok: true }]);
  expect(await json("sessions", "copy", "--all", ...there, "--to", "file:copy")).toMatchObject([{ appended: 1 }]);
  await json("sessions", "rm", sessionId, "--yes", ...there);
  expect(await reins("sessions", "ls", ...there)).toMatchObject({ code: 0, stdout: "" });
}

test("sessions live in Redis by its URL", async () => {
  await using server = await startRedis();
  await useStore(`${server.url}/2?prefix=mine`);
});

test("sessions live in a bucket by its URL", async () => {
  await using server = await startS3();
  const url = `s3://${server.bucket}/agents/prod?endpoint=${encodeURIComponent(server.endpoint)}&path-style=true&region=us-east-1`;
  const { accessKeyId, secretAccessKey } = s3Credentials;
  await useStore(url, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  expect(server.requests.filter(({ key }) => key !== "" && !key.startsWith("agents/prod/"))).toEqual([]);
});

test("sessions live in Postgres by its URL, whose tables are made when they are missing", async () => {
  await using server = await startPostgres();
  const url = new URL(server.url);
  url.searchParams.set("table-prefix", "mine_");
  await useStore(url.href);
});

test("an address of which something would be passed over is refused", async () => {
  await using server = await startRedis();
  const { reins } = await createHome();
  const refused: readonly (readonly [url: string, problem: RegExp])[] = [
    [`${server.url}/abc`, /database is no number/],
    [`${server.url}/1/2`, /database is no number/],
    // Redis has 16; the client would go on with the first.
    [`${server.url}/99`, /DB index is out of range/],
    ["s3://", /names no bucket/],
    ["s3://key:hunter2@bucket/x", /s3:\/\/key:\*\*\*@bucket.*credentials are taken from/],
    ["s3://bucket:80/x", /a port belongs to the server/],
    ["s3://bucket/x#y", /write %23/],
    ["s3://bucket/%zz", /write %25/],
    ["s3://bucket/x?endpoint=localhost:9000", /endpoint is no URL/],
    ["s3://bucket/x?path-style=yes", /path-style is true or false/],
    ["s3://bucket/x?regoin=us-east-1", /has regoin=/],
  ];
  const outcomes = refused.map(async ([url, problem]) => {
    const ran = await reins("sessions", "ls", "--store", url);
    expect({ url, ...ran }).toEqual({ url, code: 1, stdout: "", stderr: expect.stringMatching(problem) });
    expect(ran.stderr).not.toContain("hunter2");
  });
  await Promise.all(outcomes);
});

test("a server that is not there is said, without the password, and with a next step", async () => {
  const { reins } = await createHome();
  for (const scheme of ["redis", "postgres"]) {
    const { code, stdout, stderr } = await reins("sessions", "ls", "--store", `${scheme}://me:hunter2@127.0.0.1:9/0`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/:\/\/me:\*\*\*@127\.0\.0\.1:9.*ECONNREFUSED.*\nNext: is the server running/s);
    expect(stderr).not.toContain("hunter2");
  }
});
