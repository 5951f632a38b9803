import { StringDecoder } from "node:string_decoder";

/**
 * Reads the lines that a person types, each when its end was typed; what was typed without one comes last.
 *
 * `readline` is no choice: it takes the terminal over, and Ctrl-C with it.
 */
export async function* typedLines(
  source: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, undefined, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of source) {
    const parts = (typeof chunk === "string" ? chunk : decoder.write(chunk)).split("\n");
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? "";
    yield* parts.map((line) => line.replace(/\r$/, ""));
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
