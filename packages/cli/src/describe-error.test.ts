import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";
import { StorePackageError, StoreUrlError } from "./store/errors.ts";
import { UsageError } from "./usage-error.ts";

test("an error is what happened, why, and what to do", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(describeError(new StoreUrlError("redis://me:hunter2@h/0?token=t", "Redis does not answer.", refused))).toEqual(
    {
      code: "REINS_STORE_URL",
      message:
        "The store redis://me:***@h/0?token=*** cannot be opened: Redis does not answer. Because: connect ECONNREFUSED",
      next: "is the server running, and is the address right?",
    },
  );
});

test("what is missing is named with what installs it", () => {
  const { message, packages } = new StorePackageError(
    "redis:",
    "ioredis",
    ["@reins/sessions-redis", "ioredis"],
    undefined,
  );
  expect(message).toContain("npm install @reins/sessions-redis ioredis");
  expect(packages).toHaveLength(2);
});

test("a password in what is no URL is not shown either", () => {
  expect(new StoreUrlError("redis://me:hunter2@h:port", "it is no URL.").url).toBe("***@h:port");
});

test("whatever is thrown can be described, and drives no terminal", () => {
  expect(describeError("\u001b[2J")).toEqual({ code: "UNKNOWN", message: "␛[2J" });
  expect(describeError(new UsageError("No \u0007."))).toMatchObject({ code: "REINS_CLI_USAGE", message: "No ␇." });
  expect(describeError(new AggregateError([new Error("first"), new Error("second")]))).toMatchObject({
    message: "first; second",
  });
  const same = new Error("outer: inner", { cause: new Error("inner") });
  expect(describeError(same).message).toBe("outer: inner");
  const circle = new Error("round");
  circle.cause = circle;
  expect(describeError(circle)).toMatchObject({ message: "round" });
});
