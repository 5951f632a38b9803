import fc from "fast-check";
import { expect, test } from "vitest";
import { buildLaunch } from "./launch.ts";

const list = fc.integer({ min: 0, max: 3000 });

function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

test("whatever the lengths, the line is short, and nothing that was given is lost", () => {
  const property = fc.property(
    fc.record({
      allowed: list,
      denied: list,
      folders: list,
      plugins: list,
      prompt: fc.integer({ min: 0, max: 300_000 }),
      delivery: fc.constantFrom("argv", "initialize", undefined),
      platform: fc.constantFrom("linux", "darwin", "win32"),
    }),
    ({ allowed, denied, folders, plugins, prompt, delivery, platform }) => {
      const allowedTools = names(allowed, "mcp__allowed__");
      const disallowedTools = names(denied, "mcp__denied__");
      const additionalDirectories = names(folders, "/some/folder/");
      const { command, args, initialize, files } = buildLaunch(
        {
          allowedTools,
          disallowedTools,
          additionalDirectories,
          plugins: names(plugins, "/plugin/").map((path) => ({ type: "local", path })),
          systemPrompt: "p".repeat(prompt),
          settings: { env: { LONG: "s".repeat(prompt) } },
          settingsDelivery: delivery,
        },
        { platform, env: {}, locate: () => "/opt/claude" },
      );
      expect([command, ...args].join(" ").length).toBeLessThan(32_767);
      const everywhere = JSON.stringify([args, initialize, files]);
      const last = [allowedTools, disallowedTools, additionalDirectories].map((items) => items.at(-1) ?? "");
      for (const item of [...last, plugins === 0 ? "" : `/plugin/${plugins - 1}`]) expect(everywhere).toContain(item);
      expect(everywhere.split("mcp__allowed__")).toHaveLength(allowed + 1);
      expect(everywhere.split("mcp__denied__")).toHaveLength(denied + 1);
      expect(everywhere.split("/some/folder/")).toHaveLength(folders + 1);
      expect(everywhere.split("/plugin/")).toHaveLength(plugins + 1);
    },
  );
  fc.assert(property, { numRuns: 40 });
});
