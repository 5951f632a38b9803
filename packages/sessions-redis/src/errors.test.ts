import { expect, test } from "vitest";
import { toStoreError } from "./errors.ts";

const key = { projectKey: "-p", sessionId: "s" };

test.for([
  ["OOM command not allowed when used memory > 'maxmemory'. script: 0a1b, on @user_script:47.", true],
  // Before Redis 7 what a command within a script is refused for stands behind where that was.
  [
    "ERR Error running script (call to f_0a1b): @user_script:47: @user_script: 47: -OOM command not allowed when used memory > 'maxmemory'.",
    true,
  ],
  [
    "ERR Error running script (call to f_0a1b): @user_script:47: @user_script: 47: -READONLY You can't write against a read only replica.",
    true,
  ],
  ["ERR Error running script (call to f_0a1b): @user_script:9: user_script:9: attempt to index a nil value", false],
  ["WRONGTYPE Operation against a key holding the wrong kind of value script: 0a1b, on @user_script:47.", false],
] as const)("a refusal of a command within a script: %s", ([text, retryable]) => {
  const error = toStoreError("append", key, Object.assign(new Error(text), { name: "ReplyError" }));
  expect(error).toMatchObject({ retryable, mayBeDone: true });
});
