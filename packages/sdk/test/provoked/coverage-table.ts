import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hookEvents } from "@reins/messages";
import { inboundRequestSchemas, outboundRequestSchemas } from "@reins/messages/schemas";
import { SUPPORTED_CLI_VERSION } from "@reins/process";
import { unreachable } from "./unreachable.ts";

const root = join(import.meta.dirname, "../../../..");

/** The page that the table is on. */
export const coveragePage: string = join(root, "docs/control-coverage.md");

/** The page, from the lists that the tests go through, the recorded conversations, and the tests on a scripted CLI. */
export async function coverageText(): Promise<string> {
  const recorded = await recordedNames();
  const withMethod = await methodNames();
  const rows = (names: readonly string[], realTest: string, scripted: (name: string) => string): string =>
    names.map((name) => row(name, realTest, scripted(name), recorded.get(name) ?? [])).join("\n");
  return `# What is verified of the control channel

Every request in both directions and every hook event of CLI ${SUPPORTED_CLI_VERSION}. Written by \`pnpm --filter @reins/sdk control-coverage\`; a
test fails when it is not current.

- **Real CLI**: the test in \`packages/sdk/test\` in which the real binary does it, offline, with a scripted model, through \`@reins/sdk\`;
  answers and inputs of hooks are held against the schemas of their types. Where there is none, the reason why it cannot be had offline.
- **Scripted CLI**: the test in \`packages/control/test\` that plays it on a scripted session.
- **Recorded**: conversations of the real binary in \`contracts/captures\` in which it occurs; tests in \`contracts/test\` replay each through
  our client.

## Requests of the host

${head("request")}
${rows(Object.keys(outboundRequestSchemas), "control-requests", (name) => (withMethod.has(name) ? "methods, every-request" : "every-request"))}

## Requests of the CLI

${head("request")}
${rows(Object.keys(inboundRequestSchemas), "hook-events", () => "every-request")}

## Hook events

${head("event")}
${rows(hookEvents, "hook-events", () => "hooks")}
`;
}

/** Tests of what needs a session of its own. */
export const ownTests: Readonly<Record<string, string>> = { claim_session: "warm-real" };

function head(subject: string): string {
  return `| ${subject} | real CLI | scripted CLI | recorded |\n| --- | --- | --- | --- |`;
}

function row(name: string, realTest: string, scripted: string, captures: readonly string[]): string {
  const reason = unreachable[name];
  const real = reason === undefined ? (ownTests[name] ?? realTest) : `no: ${reason}`;
  const shown = captures.slice(0, 2).join(", ") + (captures.length > 2 ? ` and ${captures.length - 2} more` : "");
  return `| \`${name}\` | ${real} | ${scripted} | ${shown} |`;
}

/** The recorded conversations by what occurs in them: subtypes of requests, and hook events. */
async function recordedNames(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = join(root, "contracts/captures", SUPPORTED_CLI_VERSION);
  const index: Readonly<Record<string, unknown>> = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
  const found = new Map<string, string[]>();
  for (const capture of Object.keys(index)) {
    const names = new Set<string>();
    for (const line of (await readFile(join(folder, `${capture}.ndjson`), "utf8")).split("\n")) {
      if (!line.includes('"control_request"')) continue;
      const { frame } = JSON.parse(line) as RecordedLine;
      if (frame?.type !== "control_request" || typeof frame.request?.subtype !== "string") continue;
      names.add(frame.request.subtype);
      const event = frame.request.input?.hook_event_name;
      if (frame.request.subtype === "hook_callback" && event !== undefined) names.add(event);
    }
    for (const name of names) found.set(name, [...(found.get(name) ?? []), capture]);
  }
  return found;
}

interface RecordedLine {
  readonly frame?: {
    readonly type?: string;
    readonly request?: { readonly subtype?: unknown; readonly input?: { readonly hook_event_name?: string } };
  };
}

/** The subtypes that have a method, each of which is tested on a scripted session. */
async function methodNames(): Promise<ReadonlySet<string>> {
  const source = await readFile(join(root, "packages/control/test/methods.test.ts"), "utf8");
  return new Set([...source.matchAll(/subtype: "(\w+)"/g)].map(([, name]) => name ?? ""));
}
