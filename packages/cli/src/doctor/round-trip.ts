import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query, resultOutcome } from "@reins/sdk";
import type { Finding } from "./check.ts";
import { startOneSentenceModel } from "./one-sentence-model.ts";

/** 60 s: a turn takes one or two, and more on a machine that is busy. */
const timeoutMs = 60_000;
const sentence = "The round trip works.";

/** Has a whole turn run, in folders of its own, against a model on this machine. */
export async function checkRoundTrip(claude: string, signal: AbortSignal): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "reins-doctor-"));
  try {
    await using model = await startOneSentenceModel(sentence);
    const started = performance.now();
    const answer = await ask(claude, folder, model.url, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    return answer === sentence
      ? { status: "ok", message: `a prompt went to a scripted model and the answer came back, in ${seconds} s` }
      : { status: "failed", message: `The scripted model was not heard. What came was: ${answer}` };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function ask(claude: string, folder: string, url: string, signal: AbortSignal): Promise<string> {
  const abortController = new AbortController();
  signal.addEventListener("abort", () => abortController.abort(signal.reason), { once: true });
  signal.throwIfAborted();
  let answer = "";
  await using session = query({
    prompt: "Say that the round trip works.",
    options: {
      abortController,
      pathToClaudeCodeExecutable: claude,
      cwd: await subfolder(folder, "work"),
      env: await privateEnv(folder, url),
      systemPrompt: "You answer with one sentence.",
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      persistSession: false,
    },
  });
  for await (const message of session) if (message.type === "result") answer = resultOutcome(message).text;
  return answer;
}

/**
 * An environment in which Claude Code finds no login, no settings and no API but this one. Of the host's there is only what programs
 * cannot start without.
 */
async function privateEnv(folder: string, url: string): Promise<Record<string, string>> {
  const kept = ["PATH", "SystemRoot", "SystemDrive", "ComSpec", "PATHEXT"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const home = await subfolder(folder, "home");
  const temporary = await subfolder(folder, "tmp");
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    CLAUDE_CONFIG_DIR: await subfolder(folder, "config"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-no-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Whatever is meant for another host gets a refusal here.
    HTTPS_PROXY: url,
    HTTP_PROXY: url,
    NO_PROXY: "127.0.0.1,localhost",
  };
}

async function subfolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}
