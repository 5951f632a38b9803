import { expect, test } from "vitest";
import { decodeFrame, frameSubtype, frameType } from "./index.ts";

test("finds type and subtype wherever they stand", () => {
  expect(frameType('{"type":"user"}')).toBe("user");
  expect(
    frameType('{"duration_ms":1.5e3,"ok":true,"x":null,"a":[{"type":"no"}],"type":"result","subtype":"success"}'),
  ).toBe("result");
  expect(frameSubtype('{"a":[1,{"subtype":"no"}],"type":"system","subtype":"init"}')).toBe("init");
});

test("is not fooled by nested keys, values that look like keys, or braces inside strings", () => {
  expect(frameType('{"message":{"type":"message"},"type":"assistant"}')).toBe("assistant");
  expect(frameType('{"a":"type","b":"\\"type\\":\\"no\\"","c":"}{","type":"user"}')).toBe("user");
  expect(frameType('{"a":"\\\\","type":"user"}')).toBe("user");
  expect(frameType('{"event":{"type":"x"}}')).toBeUndefined();
  expect(frameType('{"type":"user","a":["b","type","no"]}')).toBe("user");
});

test("finds the end of a string behind any number of backslashes", () => {
  const backslashes = (count: number): string => "\\".repeat(count);
  for (let count = 0; count < 6; count++) {
    // An odd number escapes the quote, an even one ends the string there.
    const end = count % 2 === 0 ? '"' : '",x"';
    expect(frameType(`{"type":"user","a":"x${backslashes(count)}${end}}`)).toBe("user");
    expect(frameType(`{"a":"${backslashes(count)}${end},"type":"user"}`)).toBe("user");
  }
  expect(frameType('{"type":"user","a":"no end')).toBe("user");
});

test("passes over white space wherever JSON has it", () => {
  expect(frameType(' {\r\n "type"\t: "user" , "subtype"\n:\t"s" } ')).toBe("user");
  expect(frameSubtype(' {\r\n "type"\t: "user" , "subtype"\n:\t"s" } ')).toBe("s");
});

test("takes the last of two equal keys, as JSON.parse does", () => {
  expect(frameType('{"type":"user","type":"bash_command"}')).toBe("bash_command");
  expect(frameType('{"type":"user","type":1}')).toBeUndefined();
  expect(frameType('{"type":"user","type":{"type":"x"}}')).toBeUndefined();
  expect(frameType('{"type":{"type":"x"},"type":"user"}')).toBe("user");
});

test("reads escaped keys and values", () => {
  expect(frameType('{"\\u0074\\u0079\\u0070\\u0065":"bash\\u005fcommand"}')).toBe("bash_command");
  expect(frameType('{"type":"user","t\\u0079pe":"bash_command"}')).toBe("bash_command");
});

test("takes linear time on backslashes, quotes and depth", () => {
  const size = 4_000_000;
  expect(frameType(`{"a":"${"\\\\".repeat(size)}","type":"user"}`)).toBe("user");
  expect(frameType(`{"a":"${'\\"'.repeat(size)}","type":"user"}`)).toBe("user");
  expect(frameType(`{"a":"${"\\".repeat(size)}`)).toBeUndefined();
  expect(frameType(`{"a":${"[".repeat(size)}${"]".repeat(size)},"type":"user"}`)).toBe("user");
  expect(frameType(`{${'"type":"no",'.repeat(size / 10)}"type":"user"}`)).toBe("user");
  expect(frameType(`{"${"\\u0074".repeat(size)}":1,"type":"user"}`)).toBe("user");
});

test("gives undefined where there is no string type", () => {
  for (const line of [
    "{}",
    "[]",
    '[{"type":"user"}]',
    "null",
    '"type"',
    "",
    '{"type":null}',
    '{"type":["user"]}',
    '{"type":',
    // Neither an object nor JSON.
    '"type":"user"',
    '["type":"user"]',
    // Escaped as JSON does not escape.
    '{"type":"\\x"}',
  ]) {
    expect(frameType(line)).toBeUndefined();
  }
});

test("answers for text, bytes and frames alike, and without parsing", () => {
  const line = '{"a":"ß","type":"user","subtype":"s"}';
  expect(frameType(new TextEncoder().encode(line))).toBe("user");
  const frame = decodeFrame(line);
  expect([frame.type, frame.subtype, frameType(frame), frameSubtype(frame)]).toEqual(["user", "s", "user", "s"]);
  expect(frame.value).toEqual({ a: "ß", type: "user", subtype: "s" });
  expect([frame.type, frame.subtype]).toEqual(["user", "s"]);
});
