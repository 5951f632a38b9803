import { expect, test } from "vitest";
import { WriteOrder } from "./write-order.ts";

test("writes of a session run one after the other, also behind one that fails; those of others at once", async () => {
  const order = new WriteOrder();
  const begun: string[] = [];
  let endFirst: () => void = () => {};
  const task =
    (name: string, end: () => Promise<void> = async () => {}) =>
    async () => {
      begun.push(name);
      await end();
      return name;
    };
  const session = { projectKey: "p", sessionId: "s" };
  const first = order.run(
    session,
    task(
      "first",
      () =>
        new Promise((resolve) => {
          endFirst = resolve;
        }),
    ),
  );
  const second = order.run(
    session,
    task("second", () => Promise.reject(new Error("refused"))),
  );
  const third = order.run(session, task("third"));
  await order.run({ projectKey: "p", sessionId: "other" }, task("other"));
  expect(begun).toEqual(["first", "other"]);
  endFirst();
  expect(await first).toBe("first");
  await expect(second).rejects.toThrow("refused");
  expect(await third).toBe("third");
  expect(begun).toEqual(["first", "other", "second", "third"]);
});

test("names that give the same text when they are joined are different sessions", async () => {
  const order = new WriteOrder();
  order.run({ projectKey: 'a","b', sessionId: "c" }, () => new Promise(() => {})).catch(() => {});
  expect(await order.run({ projectKey: "a", sessionId: 'b","c' }, async () => 1)).toBe(1);
});
