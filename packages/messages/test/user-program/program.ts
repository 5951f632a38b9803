// What a user may write. Compiled against the declarations, with a check of the declarations themselves.
import type { KnownMessage, Message, ParsedFrame, SystemMessage, ToolInputs, ToolOutputs } from "@reins/messages";
import { type messageSchema, type resultMessageSchema, schemaFor } from "@reins/messages/schemas";
import type * as z from "zod";

type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** A union with one member that does not resolve becomes `any`, and every check below would pass. */
export const anys: readonly false[] = [
  false satisfies IsAny<Message>,
  false satisfies IsAny<KnownMessage>,
  false satisfies IsAny<Message["type"]>,
  false satisfies IsAny<SystemMessage["subtype"]>,
  false satisfies IsAny<ParsedFrame>,
  false satisfies IsAny<ToolInputs[keyof ToolInputs]>,
  false satisfies IsAny<ToolOutputs["Bash"]>,
  false satisfies IsAny<z.output<typeof messageSchema>>,
  false satisfies IsAny<z.output<typeof resultMessageSchema>>,
];

/** Narrows by type and subtype. */
export function describe(message: Message): string {
  switch (message.type) {
    case "assistant":
      return message.message.content.map((block) => (block.type === "text" ? block.text : block.type)).join();
    case "result":
      return message.subtype === "success" ? message.result : message.errors.join();
    case "system":
      return message.subtype === "init" ? message.model : message.subtype;
    default:
      // @ts-expect-error No other message has a model.
      return message.model;
  }
}

/** Checks what came from somewhere else. */
export function isValid(value: object): boolean {
  return schemaFor(value)?.safeParse(value).success ?? true;
}
