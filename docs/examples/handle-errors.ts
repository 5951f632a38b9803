import { CliNotFoundError, isReinsError, ProcessError, query } from "@reins/sdk";

try {
  for await (const message of query({ prompt: "Hello." })) console.log(message.type);
} catch (error) {
  if (error instanceof CliNotFoundError) console.error("Install the CLI first.", error.message);
  else if (error instanceof ProcessError) console.error(error.exitCode, error.stderrTail);
  else if (isReinsError(error)) console.error(error.code, error.message);
  else throw error;
}
