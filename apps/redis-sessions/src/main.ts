// A chat whose session lives in Redis. Kill it at any time, and go on in another process: npm start -- --continue
import { Client, type Options } from "@reins/sdk";
import { RedisSessionStore } from "@reins/sessions-redis";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text } from "@reins/testkit";
import { Redis } from "ioredis";

/** The model of the demo. It can count answers only when it gets the whole conversation again. */
const parrot: ModelScript = ({ body, userText }) => {
  const earlier = body.messages.filter(({ role }) => role === "assistant").length;
  return text(`Answer ${earlier + 1}: you said "${userText}".`);
};

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => flag !== "--continue" && flag !== "--live");
if (unknown === undefined) {
  await run();
} else {
  console.error("Usage: REDIS_URL=redis://127.0.0.1:6379 npm start -- [--continue] [--live]");
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
  redis.on("error", (error) => console.error(`Redis: ${error.message}`));
  try {
    const options: Options = {
      sessionStore: new RedisSessionStore({ client: redis, prefix: "redis-sessions:", ttlSeconds: 7 * 24 * 3600 }),
      continue: flags.includes("--continue"),
      // The name of the project in the store. Another machine has to say the same.
      cwd: process.cwd(),
      systemPrompt: "You are a friendly listener. Answer in one sentence.",
      tools: [],
      settingSources: [],
    };
    if (flags.includes("--live")) {
      // Your own claude, with your own login.
      await chat(options);
    } else {
      // The real CLI with a model that is a script on loopback, and a home folder that nobody sees again: only Redis remembers.
      await using model = await startScriptedModel(parrot);
      await using sandbox = await createSandbox({ model });
      await chat({ ...options, pathToClaudeCodeExecutable: findTestBinary(), env: sandbox.env });
    }
  } finally {
    redis.disconnect();
  }
}

/** Asks what is typed, line by line, until the input ends. */
async function chat(options: Options): Promise<void> {
  await using client = new Client(options);
  for await (const line of linesOf(process.stdin)) {
    await client.query(line);
    for await (const message of client.receiveResponse()) {
      // The result comes when the turn is in the store, so what was printed is never lost.
      if (message.type === "result") console.log(message.subtype === "success" ? message.result : message.subtype);
      if (message.type === "system" && message.subtype === "mirror_error")
        console.error("Redis did not take this turn.");
    }
  }
}

async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
