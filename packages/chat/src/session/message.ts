import { type Session, TurnFailedError, TurnRefusedError } from "@reins/runtime";
import { imagesIn } from "./images.ts";

/** A message as it is sent, and notes on what came with it. */
export interface OutgoingMessage {
  readonly content: Parameters<Session["submitMessage"]>[0];
  readonly notes: readonly string[];
}

/** Makes a message of a text, with the images whose paths are in it. */
export async function messageOf(text: string, cwd: string): Promise<OutgoingMessage> {
  const { images, problems } = await imagesIn(text, cwd);
  const notes = [
    ...images.map(
      ({ path, bytes }) => `image ${path} (${bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} KB`})`,
    ),
    ...problems.map(({ path, problem }) => `${path} is not attached: ${problem}`),
  ];
  if (images.length === 0) return { content: text, notes };
  return { content: [...images.map(({ block }) => block), { type: "text", text }], notes };
}

/** Why a message has no answer, in a line for a person. */
export function failureText(error: unknown): string {
  if (error instanceof TurnFailedError) {
    if (error.interrupted) return "Interrupted.";
    const cause = error.cause instanceof Error ? error.cause.message : "";
    return error.message.includes(cause) ? error.message : `${error.message} ${cause}`;
  }
  if (error instanceof TurnRefusedError && error.by === "signal") return "Interrupted.";
  if (error instanceof TurnRefusedError && error.cause instanceof Error)
    return `${error.message} ${error.cause.message}`;
  return error instanceof Error ? error.message : String(error);
}
