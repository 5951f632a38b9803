import { spawn } from "node:child_process";

/** The least that any host is: spawns the CLI, says hello and one prompt, reads, splits, parses. */
export interface BareChild<T> {
  readonly frames: AsyncIterable<T>;
  write(frame: object): void;
  /** Ends the input, upon which the CLI exits and the frames end. */
  end(): void;
}

/** @typeParam T The frames that the script writes. */
export function startBareChild<T>(path: string): BareChild<T> {
  // Nothing of this process's environment matters to the child.
  const child = spawn(path, [], { env: { PATH: process.env["PATH"] }, stdio: ["pipe", "pipe", "ignore"] });
  const write = (frame: object): void => void child.stdin.write(`${JSON.stringify(frame)}\n`);
  write({ type: "control_request", request_id: "1", request: { subtype: "initialize" } });
  write({ type: "user", message: { role: "user", content: "go" } });
  return { frames: parsedLines(child.stdout), write, end: () => child.stdin.end() };
}

/** What a child writes, line by line. */
export async function* parsedLines<T>(output: NodeJS.ReadableStream): AsyncGenerator<T> {
  const parts: string[] = [];
  output.setEncoding("utf8");
  for await (const chunk of output as AsyncIterable<string>) {
    // A long line comes in many chunks; to join them again and again would make this a poor floor.
    if (!chunk.includes("\n")) {
      parts.push(chunk);
      continue;
    }
    const lines = (parts.join("") + chunk).split("\n");
    parts.length = 0;
    parts.push(lines.pop() ?? "");
    for (const line of lines) yield JSON.parse(line);
  }
}
