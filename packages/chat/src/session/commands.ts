import { ChoicePanel } from "../panels/choice-panel.ts";
import { dollars } from "../text/dollars.ts";
import { plainLine } from "../text/plain-text.ts";
import type { CommandContext } from "./command-context.ts";
import { modes } from "./conversation.ts";
import { resume } from "./resume-command.ts";

interface Command {
  readonly usage: string;
  readonly about: string;
  /** Whether it may run beside a turn: what changes the session waits for its end. */
  readonly isImmediate?: boolean;
  run(context: CommandContext, argument: string): Promise<void> | void;
}

const commands: Readonly<Record<string, Command>> = {
  new: { usage: "/new", about: "a session without a past", run: startNew },
  resume: { usage: "/resume [id]", about: "go on with a session of this folder", run: resume },
  fork: { usage: "/fork", about: "go on in a copy of this session", run: fork },
  model: { usage: "/model [name]", about: "another model", isImmediate: true, run: chooseModel },
  mode: {
    usage: "/mode [name]",
    about: "what needs a question; shift-tab changes it, too",
    isImmediate: true,
    run: chooseMode,
  },
  cost: { usage: "/cost", about: "tokens and dollars of this session", isImmediate: true, run: showCost },
  help: { usage: "/help", about: "this list", isImmediate: true, run: help },
  exit: { usage: "/exit", about: "or ctrl-c twice, or ctrl-d", isImmediate: true, run: ({ exit }) => exit() },
};

/** Runs a line that is a command of the chat. @returns whether it was one; others are the CLI's or nobody's. */
export async function runCommand(line: string, context: CommandContext): Promise<boolean> {
  const [, name = "", argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    if (!line.startsWith("/") || /^\/\S*\//.test(line)) return false;
    // Commands of the CLI, of plugins and projects go to the CLI, which knows them.
    const { client } = await context.conversation.connected();
    const others = await client.supportedCommands();
    if (others.some((other) => other.name === name)) return false;
    context.say(`There is no \`/${plainLine(name)}\`. \`/help\` shows what there is.`);
    return true;
  }
  await command.run(context, argument.trim());
  return true;
}

/** Whether a line is a command that need not wait for the end of a turn. */
export function isImmediate(line: string): boolean {
  const name = /^\/(\S+)/.exec(line.trim())?.[1] ?? "";
  return Object.hasOwn(commands, name) && commands[name]?.isImmediate === true;
}

async function startNew({ conversation, say }: CommandContext): Promise<void> {
  await conversation.startNew();
  say("A new session.");
}

async function fork({ conversation, say }: CommandContext): Promise<void> {
  const before = conversation.resumableId;
  if (await conversation.fork())
    say(`Forked: ${before === undefined ? "the latest session" : `\`${before}\``} stays as it is.`);
  else say("There is nothing to fork yet.");
}

async function chooseModel({ conversation, ask, say }: CommandContext, argument: string): Promise<void> {
  let model: string | undefined = argument;
  if (argument === "") {
    const { client } = await conversation.connected();
    const models = await client.supportedModels();
    if (ask === undefined) {
      say(`Say which: ${models.map(({ value }) => `\`/model ${value}\``).join(", ")}.`);
      return;
    }
    const current = conversation.status.model;
    const answer = await ask<{ values: readonly string[] }>(
      (onAnswer) =>
        new ChoicePanel<string>({
          title: "Which model?",
          choices: models.map(({ value, displayName, description }) => ({ label: displayName, value, description })),
          selected: Math.max(
            models.findIndex(({ value, resolvedModel }) => value === current || resolvedModel === current),
            0,
          ),
          onAnswer,
        }),
    );
    model = answer?.values[0];
  }
  if (model === undefined) return;
  await conversation.setModel(model);
  say(`Model: \`${plainLine(model)}\`.`);
}

async function chooseMode({ conversation, ask, say }: CommandContext, argument: string): Promise<void> {
  let mode: string | undefined = argument;
  if (argument === "") {
    if (ask === undefined) {
      say(`Say which: ${modes.map((name) => `\`/mode ${name}\``).join(", ")}.`);
      return;
    }
    const answer = await ask<{ values: readonly string[] }>(
      (onAnswer) =>
        new ChoicePanel<string>({
          title: "Which mode?",
          choices: modes.map((value) => ({ label: value, value, description: modeAbout[value] })),
          selected: Math.max(modes.indexOf(conversation.status.mode ?? ""), 0),
          onAnswer,
        }),
    );
    mode = answer?.values[0];
  }
  if (mode === undefined) return;
  await conversation.setMode(mode);
  say(`Mode: \`${plainLine(mode)}\`.`);
}

const modeAbout: Readonly<Record<string, string>> = {
  default: "asks before it changes anything",
  acceptEdits: "edits files without asking",
  plan: "reads and plans, changes nothing",
  dontAsk: "does what rules allow, and nothing else",
};

function showCost({ conversation, say }: CommandContext): void {
  const { costUsd, models } = conversation.session.client.usage.conversation;
  const rows = Object.entries(models).map(([name, usage]) => {
    const cached = usage.cacheReadInputTokens + usage.cacheCreationInputTokens;
    return `| ${plainLine(name)} | ${usage.inputTokens} | ${cached} | ${usage.outputTokens} | ${dollars(usage.costUSD)} |`;
  });
  if (rows.length === 0) say("Nothing was spent yet.");
  else
    say(
      `| model | in | cached | out | cost |\n| --- | --: | --: | --: | --: |\n${rows.join("\n")}\n\nTogether ${dollars(costUsd)}, as the CLI estimates it.`,
    );
}

function help({ say }: CommandContext): void {
  const rows = Object.values(commands).map(({ usage, about }) => `| \`${usage}\` | ${about} |`);
  const keys = "Alt-Enter, or a backslash before Enter, begins a new line. The path of an image attaches it.";
  say(`| command | |\n| --- | --- |\n${rows.join("\n")}\n\n${keys} Commands of the CLI work, too.`);
}
