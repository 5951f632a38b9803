import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { brokenReferences, type Decisions, readDecisions } from "../tools/upstream/decisions.ts";
import { readDeclarations } from "../tools/upstream/declarations.ts";
import { readDocuments } from "../tools/upstream/documents.ts";
import { readInstalledSdk } from "../tools/upstream/official-sdk.ts";
import { type OurNames, ourNames, readOurNames } from "../tools/upstream/our-names.ts";
import { formatPage } from "../tools/upstream/page.ts";
import { compareSurfaces, type Parity } from "../tools/upstream/parity.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const data = join(root, "contracts/parity");

/** Reading both surfaces takes seconds, so that the tests share one reading. */
let reading: { ours: OurNames; version: string; parity: Parity } | undefined;

function readParity(): NonNullable<typeof reading> {
  if (reading === undefined) {
    const { version, declarations } = readInstalledSdk();
    const ours = readOurNames(root);
    reading = { ours, version, parity: compareSurfaces(declarations, ours, readDecisions(join(data, "reasons.json"))) };
  }
  return reading;
}

test("every name and field of the official SDK is here, or somebody decided about it", () => {
  expect(readParity().parity.undecided).toEqual([]);
});

test("no decision is about a name that the official SDK does not have", () => {
  expect(readParity().parity.stale).toEqual([]);
});

test("every name that a decision gives as ours exists", () => {
  const { ours, parity } = readParity();
  const resolves = (reference: string): boolean => ours.resolve(reference) !== undefined;
  const documents = readDocuments(data, resolves);
  expect(parity.broken).toEqual([]);
  expect(documents.flatMap(({ names }) => brokenReferences(names, resolves))).toEqual([]);
});

test("PARITY.md is what the comparison writes: run `pnpm upstream:check --write`", async () => {
  const { ours, version, parity } = readParity();
  const documents = readDocuments(data, (reference) => ours.resolve(reference) !== undefined);
  const page = await readFile(join(root, "PARITY.md"), "utf8");
  expect(page).toBe(formatPage(version, parity, documents));
});

test("no part of the official SDK is overlooked", () => {
  const { names } = readParity().parity;
  const sections = ["exports", "options", "query", "messages", "events", "control", "tools", "./sdk-tools"];
  // The smallest of them, hook events and methods, have 33 names.
  const small = sections.filter((wanted) => names.filter(({ section }) => section === wanted).length < 33);
  expect(small).toEqual([]);
  expect(names.flatMap(({ sameFields }) => sameFields).length).toBeGreaterThan(4000);
});

const theirSource = `
  export declare type Options = { cwd?: string; brandNew?: number };
  export declare interface Query { interrupt(): Promise<void>; brandNewMethod(): void }
  export declare type HookEvent = "Stop" | "BrandNew";
  export declare type SDKStatusMessage = { type: "system"; subtype: "status"; status: "busy" | "brand-new"; extra?: { depth: number } };
  export declare type SDKBrandNewMessage = { type: "brand_new" };
  export declare type SDKMessage = SDKStatusMessage | SDKBrandNewMessage;
  declare type Inner = { subtype: "interrupt"; brand_new?: boolean } | { subtype: "brand_new" };
  export declare type SDKControlRequest = { type: "control_request"; request: Inner };
  declare type SDKControlBrandNewResponse = { ok: boolean };
  export declare const BUILTIN_TOOL_NAMES: readonly ["Bash", "BrandNewTool"];
  export declare function brandNewFunction(): void;
  export declare class Holder { private secret: string; kept: string[] }
  export {};
`;

const ourSources = {
  sdk: `
    export interface Options { readonly cwd?: string }
    export interface Query { interrupt(): Promise<void> }
  `,
  messages: `
    export interface StatusMessage { readonly type: "system"; readonly subtype: "status"; readonly status: "busy" | (string & {}) }
    export type KnownMessage = StatusMessage;
    export interface HookInputs { readonly Stop: object }
    export interface OutboundRequests { readonly interrupt: { readonly request: { readonly subtype: "interrupt" } } }
    export interface ToolInputs { readonly Bash: object }
    export declare class Holder { readonly kept: readonly string[] }
    export interface ControlRequest { readonly type: "control_request"; readonly request: unknown }
  `,
};

async function compareInvented(decisions: Decisions): Promise<Parity> {
  const folder = await mkdtemp(join(tmpdir(), "parity-"));
  try {
    const write = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name, "index.d.ts");
      await mkdir(join(folder, name));
      await writeFile(path, text);
      return path;
    };
    const theirs = readDeclarations(new Map([[".", await write("theirs", theirSource)]]), [join(folder, "theirs")]);
    const files = new Map([
      ["@reins/sdk", await write("sdk", ourSources.sdk)],
      ["@reins/messages", await write("messages", ourSources.messages)],
    ]);
    return compareSurfaces(theirs, ourNames(readDeclarations(files, [folder])), decisions);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const decided: Decisions = {
  exports: {
    SDKMessage: { ours: "@reins/messages#KnownMessage" },
    SDKStatusMessage: { ours: "@reins/messages#StatusMessage" },
    SDKControlRequest: { ours: "@reins/messages#ControlRequest" },
    HookEvent: { reason: "Not here." },
    BUILTIN_TOOL_NAMES: { planned: "@reins/sdk" },
  },
  fields: { "exports SDKControlRequest.request.*": { reason: "Compared by subtype." } },
};

test("whatever is new upstream is undecided, in every part", async () => {
  const { undecided } = await compareInvented(decided);
  expect([...undecided].sort()).toEqual(
    [
      "control brand_new",
      "control interrupt.brand_new",
      "events BrandNew",
      "exports SDKBrandNewMessage",
      'exports SDKStatusMessage.status="brand-new"',
      "exports SDKStatusMessage.extra",
      "exports brandNewFunction",
      "internal SDKControlBrandNewResponse",
      "messages brand_new",
      "options brandNew",
      "query brandNewMethod",
      "tools BrandNewTool",
    ].sort(),
  );
});

test("the README of @reins/messages says how its part stands", async () => {
  const page = await readFile(join(root, "PARITY.md"), "utf8");
  const [, state] = /^The part of `@reins\/messages`: (.+)\.$/m.exec(page) ?? [];
  const readme = await readFile(join(root, "packages/messages/README.md"), "utf8");
  expect(readme).toContain(`name by name; the part of this package: ${state}.`);
});

test("a decision about a name that is gone is stale, about a name that we have spare, about a name that we lack broken", async () => {
  const { stale, spare, broken } = await compareInvented({
    ...decided,
    exports: {
      ...decided["exports"],
      Gone: { reason: "Not here." },
      SDKBrandNewMessage: { ours: "@reins/messages#Lost" },
    },
    options: { cwd: { planned: "@reins/sdk#Options.cwd" } },
    fields: { ...decided["fields"], "exports SDKStatusMessage.gone": { reason: "Not here." } },
  });
  expect(stale).toEqual(["exports Gone", "fields exports SDKStatusMessage.gone"]);
  expect(spare).toEqual(["options cwd"]);
  expect(broken).toEqual(["exports SDKBrandNewMessage: @reins/messages#Lost"]);
});
