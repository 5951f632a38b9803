import { text } from "@reins/testkit";
import type { Scenario } from "../scenario.ts";
import { quiet } from "./quiet.ts";

/** Slash commands, compaction, and plugins that bring commands. */
export const commands: readonly Scenario[] = [
  {
    name: "command-local",
    shows: "slash commands that the CLI answers itself: /context, /usage, /cost, /model, and one that it does not know",
    argv: [...quiet(), "--replay-user-messages"],
    play: () => ({
      model: [text("An answer."), text("No such command.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
        for (const command of ["/context", "/usage", "/cost", "/model", "/no-such-command"]) await cli.turn(command);
      },
    }),
  },
  {
    name: "command-own",
    shows: "a slash command of the project that expands into a prompt",
    argv: ["--tools", ""],
    files: {
      ".claude/commands/hello.md": "---\ndescription: Says hello\nargument-hint: NAME\n---\nSay hello to $ARGUMENTS",
    },
    play: () => ({
      model: [text("Hello world!")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("/hello world");
      },
    }),
  },
  {
    name: "command-clear",
    shows: "/clear: conversation_reset, another session_id, and totals that begin anew",
    argv: quiet(),
    play: () => ({
      model: [text("One."), text("Two.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("First");
        await cli.turn("/clear");
        await cli.turn("Second");
      },
    }),
  },
  {
    name: "command-compact",
    shows:
      "/compact: status compacting, compact_boundary, the summary as a synthetic user message; then one that fails",
    argv: quiet(),
    play: () => ({
      model: ({ userText }) => {
        if (userText === "First" || userText === "Second") return text("An answer.");
        return userText.includes("of this one") ? { error: { status: 403 } } : text("<summary>We talked.</summary>");
      },
      async host(cli) {
        await cli.initialize();
        await cli.turn("First");
        await cli.turn("/compact");
        await cli.turn("Second");
        await cli.turn("/compact of this one");
      },
    }),
  },
  {
    name: "command-compact-auto",
    shows: "a full context compacts by itself before the next turn: compact_boundary with trigger auto",
    argv: quiet(),
    play: () => ({
      model: [
        { content: text("One."), usage: { input_tokens: 990_000 } },
        text("<summary>We talked.</summary>"),
        text("Two."),
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("First");
        await cli.turn("Second");
      },
    }),
  },
  {
    name: "command-changed",
    shows: "commands_changed when a command was added and reload_skills is asked for",
    argv: ["--tools", ""],
    files: { ".claude/commands/hello.md": "Say hello" },
    play: () => ({
      async host(cli) {
        await cli.initialize();
        await cli.makeFile(".claude/commands/another.md", "Say another thing");
        await cli.request("reload_skills");
      },
    }),
  },
  {
    name: "plugin-install",
    shows: "CLAUDE_CODE_SYNC_PLUGIN_INSTALL: plugin_install started, installed, completed",
    argv: ["--tools", ""],
    env: { CLAUDE_CODE_SYNC_PLUGIN_INSTALL: "1" },
    files: marketplace("{{cwd}}/market"),
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "plugin-install-failed",
    shows: "the same with a marketplace that is missing: plugin_install failed",
    argv: ["--tools", ""],
    env: { CLAUDE_CODE_SYNC_PLUGIN_INSTALL: "1" },
    files: marketplace("{{cwd}}/missing"),
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
];

/** A marketplace with one plugin, and settings that want it. */
function marketplace(source: string): Record<string, string> {
  const plugin = { name: "own-plugin", version: "1.0.0", description: "A plugin" };
  return {
    "market/.claude-plugin/marketplace.json": JSON.stringify({
      name: "market",
      owner: { name: "Somebody" },
      plugins: [{ ...plugin, source: "./own-plugin" }],
    }),
    "market/own-plugin/.claude-plugin/plugin.json": JSON.stringify(plugin),
    "{{config}}/settings.json": JSON.stringify({
      extraKnownMarketplaces: { market: { source: { source: "directory", path: source } } },
      enabledPlugins: { "own-plugin@market": true },
    }),
  };
}
