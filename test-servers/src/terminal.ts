import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** How a terminal is started. */
export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  /** Variables of the shell, beside PATH, HOME, TMPDIR, TERM, LANG and PS1, which they replace. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal with a shell in it, in a tmux server of its own. */
export interface Terminal extends AsyncDisposable {
  /** Empty in the beginning; HOME and TMPDIR of the shell. */
  readonly folder: string;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types text, and presses Enter. */
  enter(line: string): Promise<void>;
  /** Pastes as a terminal does that knows of bracketed paste. */
  paste(text: string): Promise<void>;
  /** What is on the screen and above it, without colours. */
  text(): Promise<string>;
  /** What is on the screen, with colours. */
  colouredText(): Promise<string>;
  /** Waits until a text is there. @returns all of the text. */
  see(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** The process that the shell runs. */
  foreground(): Promise<number>;
  /** Waits for the shell, and compares the state of the terminal with that of the beginning. Rejects where it is another one. */
  assertRestored(): Promise<void>;
}

/** How long a text may take to appear. Programs start slowly where many do. */
const waitMs = 30_000;

/** Starts a shell whose prompt is `$ `. Dispose it to end it and all that it has started, and to remove its folder. */
export async function startTerminal({ columns, rows, env = {} }: TerminalOptions): Promise<Terminal> {
  // Real, since programs show real paths; short, since sockets lie in it.
  const folder = await mkdtemp(join(await realpath(tmpdir()), "term-"));
  const tmux = (...argv: readonly string[]): Promise<string> => runTmux(folder, argv);
  const close = async (): Promise<void> => {
    const pid = (await tmux("display-message", "-p", "#{pid}").catch(() => "")).trim();
    await tmux("kill-server").catch(() => {});
    if (pid !== "") await until(`tmux (process ${pid}) has ended`, async () => !isAlive(Number(pid)));
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const terminal: Terminal = {
    folder,
    type: async (text) => {
      await tmux("send-keys", "-l", text);
    },
    press: async (...keys) => {
      await tmux("send-keys", ...keys);
    },
    enter: async (line) => {
      await terminal.type(line);
      await terminal.press("Enter");
    },
    paste: async (text) => {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p", "-d");
    },
    text: () => tmux("capture-pane", "-p", "-J", "-S", "-500"),
    colouredText: () => tmux("capture-pane", "-p", "-e"),
    see: async (text) => {
      let shown = "";
      await until(`${text} is on the screen`, async () => {
        shown = await terminal.text();
        return typeof text === "string" ? shown.includes(text) : text.test(shown);
      }).catch((error: Error) => {
        throw new Error(`${error.message} It shows:\n${shown}`);
      });
      return shown;
    },
    resize: async (newColumns, newRows) => {
      await tmux("resize-window", "-x", String(newColumns), "-y", String(newRows));
    },
    foreground: async () => {
      const shell = (await tmux("display-message", "-p", "#{pane_pid}")).trim();
      const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", shell]);
      return Number(stdout.trim().split("\n")[0]);
    },
    assertRestored: async () => {
      await terminal.see(/\n\$ *\n*$/);
      await terminal.enter(`stty -a | cmp - ${folder}/before && echo re''stored`);
      await terminal.see("\nrestored\n");
      const cursor = (await tmux("display-message", "-p", "#{cursor_flag}")).trim();
      if (cursor !== "1") throw new Error("The cursor is hidden.");
      // A terminal whose paste is still bracketed would show the brackets.
      await terminal.paste("echo pa''sted");
      await terminal.press("Enter");
      const shown = await terminal.see("\npasted\n");
      if (shown.includes("200~")) throw new Error(`Paste is still bracketed:\n${shown}`);
    },
    [Symbol.asyncDispose]: close,
  };
  try {
    const own = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder, TERM: "tmux-256color" };
    const variables = Object.entries({ ...own, LANG: "C.UTF-8", PS1: "$ ", ...env });
    const assignments = variables.map(([name, value]) => `${name}=${quoted(value)}`).join(" ");
    const shell = `stty -a > ${quoted(folder)}/before; exec env -i ${assignments} sh -i`;
    await tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), shell);
    await terminal.see("$ ");
    return terminal;
  } catch (error) {
    await close();
    throw error;
  }
}

async function runTmux(folder: string, argv: readonly string[]): Promise<string> {
  try {
    const options = { env: { ...process.env, TMUX_TMPDIR: folder }, timeout: 10_000, maxBuffer: 10_000_000 };
    return (await promisify(execFile)("tmux", ["-L", "test", "-f", "/dev/null", ...argv], options)).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error("There is no tmux. On Debian: apt-get install tmux", { cause: error });
    throw error;
  }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + waitMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`After ${waitMs} ms it is not so that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
