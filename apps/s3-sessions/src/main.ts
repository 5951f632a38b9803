// A chat whose session lives in a bucket: each line of stdin is a turn, and any process can go on where another was killed.
//
//   tsx src/main.ts              begins a session, and prints its id
//   tsx src/main.ts SESSION_ID   goes on with it
//   --live                       your own claude with your own login, in place of the script
import { parseArgs } from "node:util";
import { S3Client } from "@aws-sdk/client-s3";
import { query } from "@reins/sdk";
import { S3SessionStore } from "@reins/sessions-s3";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text } from "@reins/testkit";

/** The model of the demo: knows only what the conversation holds that the CLI sends. */
const parrot: ModelScript = ({ body }) => {
  const said = JSON.stringify(body.messages).matchAll(/My word is (\w+)/g);
  return text(`Your words: ${[...said].map(([, word]) => word).join(", ")}.`);
};

const { values, positionals } = parseArgs({ options: { live: { type: "boolean" } }, allowPositionals: true });
let [resume] = positionals;

// The environment says where: AWS_REGION, AWS_ENDPOINT_URL_S3, credentials and BUCKET.
const client = new S3Client({ forcePathStyle: true });
await using store = new S3SessionStore({ client, bucket: process.env["BUCKET"] ?? "sessions", prefix: "chat/" });

await using model = values.live === true ? undefined : await startScriptedModel(parrot);
await using sandbox = model && (await createSandbox({ model }));
// The working directory names the project, so it is the same in each process; the home folder need not be.
const offline = sandbox && { pathToClaudeCodeExecutable: findTestBinary(), env: sandbox.env };

for await (const prompt of lines(process.stdin)) {
  const options = {
    ...offline,
    tools: [],
    settingSources: [],
    sessionStore: store,
    ...(resume !== undefined && { resume }),
  };
  await using turn = query({ prompt, options });
  for await (const message of turn) {
    if (message.type === "system" && message.subtype === "mirror_error") console.error(`not stored: ${message.error}`);
    if (message.type !== "result") continue;
    if (resume === undefined) console.log(`session ${message.session_id}`);
    resume = message.session_id;
    // What was said is in the bucket by now.
    console.log(message.subtype === "success" ? message.result : message.subtype);
  }
}
if (resume !== undefined) {
  const [chat] = await store.compactSession({
    // What the CLI makes of a working directory.
    projectKey: process.cwd().replace(/[^A-Za-z0-9]/g, "-"),
    sessionId: resume,
  });
  if (chat !== undefined) console.log(`${chat.partsBefore} parts became ${chat.partsAfter}`);
}
client.destroy();

async function* lines(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
