import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, vi } from "vitest";

/** How long a text may take to appear. The CLI starts slowly where many do. */
const waitMs = 30_000;

/** A real terminal with a shell in it, in a tmux server of its own. */
export interface TestTerminal extends AsyncDisposable {
  /** Empty in the beginning; `TMPDIR` of the shell is in it. */
  readonly folder: string;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes as a terminal does that knows of bracketed paste. */
  paste(text: string): Promise<void>;
  /** What is on the screen and above it, without colours. */
  text(): Promise<string>;
  /** What is on the screen, with colours. */
  colouredText(): Promise<string>;
  /** Waits until a text is there. @returns all of the text. */
  see(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** A value that tmux knows of the pane. */
  value(format: string): Promise<string>;
}

/** Starts a shell whose prompt is `$ `, with no environment but this. */
export async function startTerminal(
  size: { readonly columns: number; readonly rows: number },
  env: Readonly<Record<string, string>> = {},
): Promise<TestTerminal> {
  // Real, since the chat shows real paths; short, since sockets lie in it.
  const folder = await mkdtemp(join(await realpath(tmpdir()), "chat-"));
  const tmux = async (...argv: readonly string[]): Promise<string> => {
    try {
      const options = { env: { ...process.env, TMUX_TMPDIR: folder }, timeout: 10_000, maxBuffer: 10_000_000 };
      return (await promisify(execFile)("tmux", ["-L", "chat", "-f", "/dev/null", ...argv], options)).stdout;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT")
        throw new Error("The tests of the chat need tmux. On Debian: apt-get install tmux", { cause: error });
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const pid = (await tmux("display-message", "-p", "#{pid}").catch(() => "")).trim();
    await tmux("kill-server").catch(() => {});
    if (pid !== "") await vi.waitUntil(() => !isAlive(Number(pid)), { timeout: waitMs });
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const shellEnv = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: folder,
    TERM: "tmux-256color",
    LANG: "C.UTF-8",
    PS1: "$ ",
    ...env,
  };
  const variables = Object.entries(shellEnv).map(([name, value]) => `${name}=${quoted(value)}`);
  const terminal: TestTerminal = {
    folder,
    type: async (text) => {
      await tmux("send-keys", "-l", text);
    },
    press: async (...keys) => {
      await tmux("send-keys", ...keys);
    },
    paste: async (text) => {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p", "-d");
    },
    text: () => tmux("capture-pane", "-p", "-J", "-S", "-500"),
    colouredText: () => tmux("capture-pane", "-p", "-e"),
    value: async (format) => (await tmux("display-message", "-p", format)).trim(),
    resize: async (columns, rows) => {
      await tmux("resize-window", "-x", String(columns), "-y", String(rows));
    },
    see: async (text) => {
      const startedAt = Date.now();
      for (;;) {
        const shown = await terminal.text();
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
        if (Date.now() - startedAt > waitMs)
          throw new Error(`${String(text)} has not appeared in ${waitMs} ms:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    [Symbol.asyncDispose]: close,
  };
  try {
    const [columns, rows] = [String(size.columns), String(size.rows)];
    await tmux("new-session", "-d", "-x", columns, "-y", rows, `exec env -i ${variables.join(" ")} sh -i`);
    // The last thing that may be started with a default of tmux: windows end with their shell, the server with its last window.
    await terminal.see("$ ");
    return terminal;
  } catch (error) {
    await close();
    throw error;
  }
}

/** The chat, as `npm start` runs it. */
export const main: string = join(import.meta.dirname, "../src/main.ts");
/** tsx is found from here. */
const app: string = join(import.meta.dirname, "..");

/** Starts the chat as `npm start` does: on the built packages, the model is a script. */
export async function startChat(terminal: TestTerminal, nodeFlags = ""): Promise<void> {
  await terminal.type(
    `cd ${app} && stty -a > ${terminal.folder}/before; clear; node ${nodeFlags} --import=tsx ${main}`,
  );
  await terminal.press("Enter");
  await terminal.see(/\n>\s*\n\s*\n(mode )?default/);
}

/** Types a line and submits it. */
export async function say(terminal: TestTerminal, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.press("Enter");
}

/** Waits for the shell, and compares the settings of the terminal with those from before. */
export async function expectSaneTerminal(terminal: TestTerminal): Promise<void> {
  await terminal.see(/\n\$ *\n*$/);
  await say(terminal, `stty -a | cmp - ${terminal.folder}/before && echo sa''ne`);
  await terminal.see("\nsane\n");
  expect(await terminal.value("#{cursor_flag}")).toBe("1");
  // A terminal whose paste is still bracketed would show the brackets.
  await terminal.paste("echo pa''sted");
  await terminal.press("Enter");
  expect(await terminal.see("\npasted\n")).not.toContain("200~");
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
