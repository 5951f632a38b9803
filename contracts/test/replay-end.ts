import type { ScriptedCli } from "@reins/testkit";
import { expect, vi } from "vitest";

/** Waits until a scripted CLI has written everything and read every answer, and waits for the end of its input. */
export async function playedToTheEnd(cli: ScriptedCli): Promise<void> {
  const isThere = async (): Promise<void> => {
    const { events, failure } = await cli.log();
    expect(failure).toBeUndefined();
    expect(events.some((event) => event.kind === "step" && (event.do === "readEnd" || event.do === "exit"))).toBe(true);
  };
  await vi.waitFor(isThere, { timeout: 10_000, interval: 1 });
}
