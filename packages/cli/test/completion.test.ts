import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bashScript } from "../src/completion/bash.ts";
import { describeCommands } from "../src/completion/describe-commands.ts";
import { fishScript } from "../src/completion/fish.ts";
import { zshScript } from "../src/completion/zsh.ts";
import { Context } from "../src/context.ts";
import { createProgram } from "../src/program.ts";

const described = describeCommands(createProgram(new Context()).program);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "reins-completion-"));
  await writeFile(join(folder, "notes of today.txt"), "");
  await mkdir(join(folder, "capture"));
  await writeFile(join(folder, "reins.bash"), bashScript(described));
  await writeFile(join(folder, "reins.fish"), fishScript(described));
  // Under the name and in a folder of `fpath`, as it is installed.
  await mkdir(join(folder, "functions"));
  await writeFile(join(folder, "functions", "_reins"), zshScript(described));
  await writeFile(join(folder, ".zshrc"), zshrc);
});
afterAll(() => rm(folder, { recursive: true }));

async function runShell(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TERM: "dumb", ...env },
    timeout: 30_000,
  };
  const { stdout, stderr } = await promisify(execFile)(program, args, options);
  expect(stderr).toBe("");
  return stdout;
}

/** What bash, zsh and fish offer where a line ends. */
const shells: Readonly<Record<string, (line: string) => Promise<string>>> = {
  bash: async (line) => {
    // As bash divides lines that have no quotes.
    const words = line.split(/ +|(=)/).filter((word) => word !== undefined);
    const ask = `COMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_reins\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    return await runShell("bash", ["--norc", "-uc", `source ./reins.bash\n${ask}`, "bash", ...words]);
  },
  zsh: async (line) => {
    // The completions of zsh work in an interactive shell only, and that needs a terminal.
    const ask = "zmodload zsh/zpty && zpty shell zsh -i && while zpty -r shell said; do :; done; cat offered 2>&1";
    return await runShell("zsh", ["-fc", `rm -f offered; ${ask}`], { ZDOTDIR: folder, LINE: line });
  },
  fish: async (line) => await runShell("fish", ["--no-config", "-c", "source reins.fish; complete -C $argv", line]),
};

/** An interactive zsh that completes `$LINE`, writes what it offers to a file, and ends. */
const zshrc = `
fpath=($PWD/functions $fpath)
autoload -Uz compinit && compinit -u -d $PWD/dump
compadd() {
  local -a hits
  local before="\${(j: :)@[1,\${@[(i)--]}]}"
  # With these, completers ask for themselves.
  if [[ " $before" != *" -"[OAD]" "* ]]; then
    builtin compadd -O hits "$@"
    print -rl -- $hits >> offered
  fi
  builtin compadd "$@"
}
zle -C offer complete-word _main_complete
zle-line-init() {
  BUFFER=$LINE CURSOR=$#LINE
  : >> offered
  zle offer
  exit
}
zle -N zle-line-init
`;

describe.each(Object.entries(shells))("%s completes", (_shell, offer) => {
  test.for([
    ["reins se", ["sessions"]],
    ["reins sessions re", ["rename"]],
    ["reins tap ", ["run", "script", "show"]],
    ["reins --ver", ["--version"]],
    ["reins sessions ls --li", ["--limit"]],
    ["reins sessions usage --by ", ["day", "model"]],
    ["reins query -o st", ["stream-json"]],
    ["reins query --output=st", ["stream-json"]],
    ["reins query --permission-mode d", ["default", "dontAsk"]],
    ["reins completion ", ["bash", "fish", "zsh"]],
    ["reins frames no", ["notes of today.txt"]],
    ["reins query --schema no", ["notes of today.txt"]],
    ["reins tap show ca", ["capture"]],
    ["reins tap run -- ca", ["capture"]],
    ["reins tap run --dir cap -- --ver", []],
    // What is no file is not completed by files, and words of a prompt are no commands.
    ["reins sessions ls --limit ", []],
    ["reins sessions show ", []],
    ["reins query sessions ", []],
    ["reins query sessions ls --arch", []],
  ] as const)("%j to %j", async ([line, expected]) => {
    const lines = (await offer(line)).split("\n");
    // fish says descriptions, and the whole word; fish and zsh mark what goes on; zsh quotes.
    const words = lines.map((each) =>
      each
        .replace(/\t.*/, "")
        .replace(/^--output=/, "")
        .replace(/[/=]$/, "")
        .replaceAll("\\ ", " "),
    );
    expect(words.filter((word) => word !== "").toSorted()).toEqual(expected);
  });
});

test("every option of every command is described, and names of values are those whose sort is known", () => {
  expect(described.map(({ path }) => path)).toContain("sessions verify");
  const flags = new Set<string>();
  for (const { options } of described) {
    for (const { long, description, value } of options) {
      expect(description).not.toBe("");
      flags.add(`${long} ${typeof value === "object" ? "words" : (value ?? "")}`);
    }
  }
  expect([...flags].filter((flag) => flag.endsWith(" files")).toSorted()).toEqual([
    "--add-dir files",
    "--capture files",
    "--claude files",
    "--config-dir files",
    "--cwd files",
    "--dir files",
    "--out files",
    "--schema files",
    "--to files",
  ]);
  expect(describeCommands(new Command("empty"))).toHaveLength(1);
});
