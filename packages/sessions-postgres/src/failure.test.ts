import { describe, expect, test } from "vitest";
import { PostgresMigrationError, PostgresStoreError } from "./errors.ts";
import { isConnectionLost, isTransient, NoAnswerError, sqlStateOf } from "./failure.ts";

function sqlError(code: string): Error {
  return Object.assign(new Error("said by Postgres."), { severity: "ERROR", code });
}

function nodeError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

describe("a failure passes by itself, or does not:", () => {
  test.each([
    "08006",
    "40001",
    "40P01",
    "53300",
    "53100",
    "55P03",
    "57014",
    "57P01",
    "57P02",
    "57P03",
    "25P03",
    "25006",
  ])("SQLSTATE %s does", (state) => {
    expect(isTransient(sqlError(state))).toBe(true);
  });
  test.each(["42P01", "42501", "28P01", "3D000", "22P02", "23505", "54000"])("SQLSTATE %s does not", (state) => {
    expect(isTransient(sqlError(state))).toBe(false);
  });
  test.each(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"])("%s does", (code) => {
    expect(isTransient(nodeError(code))).toBe(true);
    expect(isConnectionLost(nodeError(code))).toBe(true);
  });
  test.each([
    ["Connection terminated unexpectedly", true],
    ["Connection terminated due to connection timeout", true],
    ["timeout exceeded when trying to connect", true],
    ["Client has encountered a connection error and is not queryable", true],
    ["Cannot use a pool after calling end on the pool", false],
    ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", false],
  ])("%j: %s", (message, expected) => {
    expect(isTransient(new Error(message))).toBe(expected);
  });
  test("several addresses that all refuse do", () => {
    expect(isTransient(new AggregateError([nodeError("ECONNREFUSED"), nodeError("ECONNREFUSED")]))).toBe(true);
    expect(isTransient(new AggregateError([nodeError("ECONNREFUSED"), nodeError("EACCES")]))).toBe(false);
  });
  test("no answer does", () => {
    expect(isTransient(new NoAnswerError("no answer"))).toBe(true);
  });
});

test("a code of Node is no SQLSTATE, whatever its length", () => {
  expect(sqlStateOf(nodeError("EPIPE"))).toBeUndefined();
  expect(sqlStateOf(sqlError("57014"))).toBe("57014");
  expect(sqlStateOf("thrown text")).toBeUndefined();
});

describe("an error says what happened, to what, and what to do:", () => {
  const key = { projectKey: "-p", sessionId: "s", subpath: "subagents/agent-a" };

  test("nothing was changed, and it passes", () => {
    const error = new PostgresStoreError("append", key, sqlError("57014"), "none");
    expect(error.message).toBe(
      'append failed for "subagents/agent-a" of session "s" of project "-p": said by Postgres (SQLSTATE 57014). Nothing was changed; try again.',
    );
    expect(error).toMatchObject({
      name: "PostgresStoreError",
      retryable: true,
      sqlState: "57014",
      effect: "none",
      key,
    });
  });
  test("nobody knows", () => {
    const error = new PostgresStoreError("append", key, nodeError("ECONNRESET"), "unknown");
    expect(error.message).toContain("Whether it was done is not known; entries with a uuid can be appended again.");
    expect(error).toMatchObject({ retryable: true, sqlState: undefined, effect: "unknown" });
  });
  test.each([
    ["42P01", "run migrate() first"],
    ["42501", "grant the role what the README lists"],
    ["22P02", "see the cause"],
  ])("SQLSTATE %s: %s", (state, advice) => {
    const error = new PostgresStoreError("listSessions", { projectKey: "-p" }, sqlError(state), "none");
    expect(error.message).toContain(`listSessions failed for project "-p"`);
    expect(error.message).toContain(advice);
  });
  test("a name with several addresses that all refuse", () => {
    const cause = new AggregateError([nodeError("ECONNREFUSED")], "");
    expect(new PostgresMigrationError("x", cause)).toMatchObject({ retryable: true, cause });
    expect(new PostgresStoreError("load", key, cause, "none").message).toContain("connect ECONNREFUSED");
  });
});
