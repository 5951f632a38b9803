import { afterAll, afterEach } from "vitest";

// A library that prints is broken, and so is a test that hides what it saw. `disableConsoleIntercept` in the config makes
// the console write to the two streams, so patching them sees every print of the test process.
const prints: string[] = [];

for (const name of ["stdout", "stderr"] as const) {
  process[name].write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    // Node's own warnings begin like this; below they come with a stack.
    if (!text.startsWith("(node:")) prints.push(`${name}: ${text.trimEnd()}\n${callSite()}`);
    const callback = rest.find((argument) => typeof argument === "function");
    if (callback !== undefined) queueMicrotask(() => callback());
    return true;
  };
}

// A MaxListenersExceededWarning is a leak that has not hurt yet. What is experimental differs between versions of Node.
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") prints.push(warning.stack ?? warning.message);
});

afterEach(failOnPrint);
// Module scope and suite hooks print outside of every test.
afterAll(failOnPrint);

function failOnPrint(): void {
  if (prints.length === 0) return;
  throw new Error(`The test printed. Assert on what is said, or keep it quiet.\n${prints.splice(0).join("\n")}`);
}

function callSite(): string {
  const frames = (new Error().stack ?? "").split("\n").slice(3);
  return frames
    .filter((frame) => !/node:|node_modules/.test(frame))
    .slice(0, 3)
    .join("\n");
}
