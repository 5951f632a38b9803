import { MemorySessionStore } from "@reins/sessions";
import { expect, test } from "vitest";
import type { CommandContext } from "./command-context.ts";
import { resume } from "./resume-command.ts";

test("finds a session by its id however old it is, and says which is none of this folder", async () => {
  const sessionStore = new MemorySessionStore();
  const dir = "/a/folder";
  const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  for (let n = 0; n < 120; n++)
    await sessionStore.append({ projectKey: "-a-folder", sessionId: idOf(n) }, [entryOf(n)]);
  const said: string[] = [];
  const resumed: string[] = [];
  const context: CommandContext = {
    // What the command uses of it: a whole one has a CLI.
    conversation: {
      session: { sessionId: idOf(7) },
      resume: async (sessionId: string) => void resumed.push(sessionId),
      refreshContext: async () => {},
    } as unknown as CommandContext["conversation"],
    location: { dir, sessionStore },
    ask: undefined,
    say: (markdown) => said.push(markdown),
    replay: (role, text) => said.push(`${role}: ${text}`),
    exit: () => {},
  };
  for (const argument of [idOf(0), idOf(119), idOf(7), idOf(120), "`\x1b[2J"]) await resume(context, argument);
  expect(resumed).toEqual([idOf(0), idOf(119)]);
  expect(said).toEqual([
    "user: apple 0",
    `Resumed \`${idOf(0)}\`.`,
    "user: apple 119",
    `Resumed \`${idOf(119)}\`.`,
    `There is no session \`${idOf(7)}\` of this folder.`,
    `There is no session \`${idOf(120)}\` of this folder.`,
    "There is no session ``␛[2J` of this folder.",
  ]);

  function entryOf(n: number) {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    const uuid = idOf(n + 1000);
    const message = { role: "user", content: `apple ${n}` };
    return { type: "user", uuid, parentUuid: null, sessionId: idOf(n), cwd: dir, timestamp, message };
  }
});
