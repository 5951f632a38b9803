import type { ReadablePipe } from "./spawned-process.ts";

/** How long a pipe may be silent after the exit of its process before it counts as held by a grandchild. */
const silenceMs = 200;

/**
 * Waits until a pipe has ended after its process did, and closes it. It must be flowing.
 *
 * A grandchild may hold the other end for as long as it likes. So a pipe that is silent for 200 ms is taken for ended: what a dead
 * process wrote is in the pipe, and is read before that. What grandchildren go on writing counts up to `maxBytes`.
 */
export function drainPipe(pipe: ReadablePipe, maxBytes: number): Promise<void> {
  return new Promise((resolve) => {
    let seenBytes = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      pipe.destroy();
      resolve();
    };
    const waitForSilence = (): void => {
      const before = seenBytes;
      timer = setTimeout(() => {
        // After a block of the event loop the timer is due before the pipe was read; one round of reading lies in between here.
        setImmediate(() => (seenBytes === before ? finish() : waitForSilence()));
      }, silenceMs);
      timer.unref();
    };
    if (pipe.readableEnded || pipe.destroyed) {
      finish();
      return;
    }
    pipe.on("data", (chunk) => {
      seenBytes += chunk.length;
      if (seenBytes > maxBytes) finish();
    });
    pipe.on("end", finish);
    pipe.on("close", finish);
    waitForSilence();
  });
}
