// claude -p "Say hi." --output-format stream-json --verbose | npx tsx check-frames.ts
import { schemaFor } from "@reins/messages/schemas";
import { decodeFrames } from "@reins/streamjson";
import { prettifyError } from "zod";

let frames = 0;
for await (const { type, value } of decodeFrames(process.stdin)) {
  frames += 1;
  const schema = schemaFor(value);
  if (schema === undefined) console.log(`? ${type} is of a kind that is not known`);
  const error = schema?.safeParse(value).error;
  if (error !== undefined) console.log(`! ${type}\n${prettifyError(error)}`);
}
console.log(`${frames} frames`);
