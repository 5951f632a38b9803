import { expect, test } from "vitest";
import { parseEvents } from "./sse.ts";

const same = (text: string): string => text;

test("reads events, with their names, data of several lines and the time of their last byte", () => {
  const body = 'event: a\ndata: {"n":1}\n\n: comment\n\ndata: one\ndata:two\r\n\r\nevent: c\ndata: {}\n\n';
  const arrivals = [
    { endByte: 15, atMs: 1 },
    { endByte: 30, atMs: 2 },
    { endByte: body.length, atMs: 3 },
  ];
  expect(parseEvents(Buffer.from(body), arrivals, same)).toEqual([
    { event: "a", data: { n: 1 }, atMs: 2 },
    { data: "one\ntwo", atMs: 3 },
    { event: "c", data: {}, atMs: 3 },
  ]);
});

test("leaves out what has no end, as a client does", () => {
  const body = Buffer.from('data: 1\n\ndata: {"half":');
  expect(parseEvents(body, [{ endByte: body.length, atMs: 1 }], same)).toEqual([{ data: 1, atMs: 1 }]);
  expect(parseEvents(Buffer.from(""), [], same)).toEqual([]);
});
