import { PassThrough, Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { readPrompt } from "./read-prompt.ts";

const nobody = async (): Promise<void> => {
  throw new Error("There was no silence.");
};

function piped(...chunks: readonly (Uint8Array | string)[]): PassThrough {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return stream;
}

test("what is piped in comes before the words", async () => {
  const bytes = new TextEncoder().encode("Ä\n");
  expect(await readPrompt(["What", "is it?"], piped(bytes.slice(0, 1), bytes.slice(1)), nobody)).toBe(
    "Ä\n\nWhat is it?",
  );
  expect(await readPrompt([], piped("only this\n"), nobody)).toBe("only this");
  expect(await readPrompt(["only", "words"], piped(), nobody)).toBe("only words");
  await expect(readPrompt([], piped(" \n"), nobody)).rejects.toThrow("There is no prompt");
});

test("a terminal is not read where there are words", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect(await readPrompt(["words"], terminal, nobody)).toBe("words");
});

test("a pipe that stays open and silent is given up, when there are words", async () => {
  vi.useFakeTimers();
  try {
    const stream = new PassThrough();
    const onSilence = vi.fn(async () => {});
    const prompt = readPrompt(["words"], stream, onSilence);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await prompt).toBe("words");
    expect(onSilence).toHaveBeenCalledOnce();
    expect(stream.destroyed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("what has no end is refused before it fills the memory", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield "y\n".repeat(512 * 1024);
    })(),
  );
  await expect(readPrompt(["words"], endless, nobody)).rejects.toThrow("longer than 32 MB");
  expect(endless.destroyed).toBe(true);
});
