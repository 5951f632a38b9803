import { expect, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import { hookEvents } from "../hooks/hook-event.ts";
import type { Message } from "../message.ts";
import * as schemas from "./index.ts";

const init = { type: "system", subtype: "init", uuid: "u", session_id: "s" };

test("finds the schema of a message by type and subtype, and of a control frame by type", () => {
  expect(schemas.schemaFor(init)).toBe(schemas.systemInitMessageSchema);
  expect(schemas.schemaFor({ type: "system", subtype: "ui_toast" })).toBe(schemas.uiToastMessageSchema);
  expect(schemas.schemaFor({ type: "system", subtype: "turn_duration" })).toBe(schemas.turnDurationMessageSchema);
  expect(schemas.schemaFor({ type: "assistant" })).toBe(schemas.assistantMessageSchema);
  expect(schemas.schemaFor({ type: "result", subtype: "success" })).toBe(schemas.resultSuccessMessageSchema);
  expect(schemas.schemaFor({ type: "result", subtype: "tomorrow" })).toBe(schemas.resultErrorMessageSchema);
  expect(schemas.schemaFor({ type: "user", isReplay: true })).toBe(schemas.userReplayMessageSchema);
  expect(schemas.schemaFor({ type: "user", isReplay: false })).toBe(schemas.userMessageSchema);
  expect(schemas.schemaFor({ type: "keep_alive" })).toBe(schemas.keepAliveFrameSchema);
});

test("has no schema for a kind that is not known, whatever it is called", () => {
  for (const frame of [{}, { type: "tomorrow" }, { type: "constructor" }, { type: 1 }, { type: "system" }]) {
    expect(schemas.schemaFor(frame)).toBeUndefined();
  }
  expect(schemas.schemaFor({ type: "system", subtype: "toString" })).toBeUndefined();
  expect(schemas.messageSchema.safeParse({ type: "tomorrow", field: 1 }).data).toEqual({ type: "tomorrow", field: 1 });
});

test("names the flaw, by path where the schema is known and in the message where it is not", () => {
  const frame = { type: "user", uuid: "u", session_id: "s", parent_tool_use_id: null, message: { role: "user" } };
  expect(schemas.schemaFor(frame)?.safeParse(frame).error?.issues[0]?.path).toEqual(["message", "content"]);
  expect(schemas.messageSchema.safeParse(frame).error?.issues[0]?.message).toContain("(at message.content)");
});

test("the types of the public schemas are those of the package, and none is any", () => {
  expectTypeOf<z.output<typeof schemas.messageSchema>>().toEqualTypeOf<Message>();
  expectTypeOf<z.output<typeof schemas.messageSchema>>().not.toBeAny();
  expectTypeOf<z.output<typeof schemas.toolInputSchemas.Bash>["command"]>().toEqualTypeOf<string>();
});

test("each event of hooks has a schema for what a hook is told, and for what it answers", () => {
  expect(Object.keys(schemas.hookInputSchemas).sort()).toEqual([...hookEvents].sort());
  expect(Object.keys(schemas.hookOutputSchemas).sort()).toEqual([...hookEvents].sort());
  const { PreToolUse, SessionEnd } = schemas.hookOutputSchemas;
  const deny = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };
  expect(PreToolUse.safeParse(deny).success).toBe(true);
  expect(PreToolUse.safeParse({ hookSpecificOutput: { hookEventName: "Stop" } }).success).toBe(false);
  expect(SessionEnd.safeParse({}).success).toBe(true);
  expect(SessionEnd.safeParse(deny).success).toBe(false);
});

test("no schema drops a field that it does not know", () => {
  const seen = new Set<unknown>();
  const dropping: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if ("_zod" in value) {
      // Every schema tells how it was made.
      const { def } = value._zod as { readonly def: Readonly<Record<string, unknown>> };
      if (def["type"] === "object" && def["catchall"] === undefined) dropping.push(path);
      for (const [key, part] of Object.entries(def)) visit(part, `${path}.${key}`);
      // The fields of an object are behind a getter.
      visit(def["shape"], path);
      return;
    }
    for (const [key, part] of Object.entries(value)) visit(part, `${path}.${key}`);
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
  expect(seen.size).toBeGreaterThan(1_000);
  expect(dropping).toEqual([]);
});
