import type { MessageBase, PromptStamps, SubagentStamps } from "@reins/messages";
import * as z from "zod";
import type { Agreement, Shape } from "./agree.ts";
import { type LooseOutput, shape } from "./pinned.ts";

/** Fields of {@link MessageBase}. */
export const messageBase: Shape<MessageBase> = shape({ uuid: z.string(), session_id: z.string() });

/** Fields of {@link PromptStamps}. */
export const promptStamps: Shape<PromptStamps> = shape({
  user_message_uuid: z.string().exactOptional(),
  user_message_uuids: z.array(z.string()).exactOptional(),
});

/** Fields of {@link SubagentStamps}. */
export const subagentStamps: Shape<SubagentStamps> = shape({
  agent_id: z.string().exactOptional(),
  subagent_type: z.string().exactOptional(),
  task_description: z.string().exactOptional(),
});

/** A message of a type, pinned to the type that the annotation names. */
export function message<Type, const Kind extends string, const Fields extends z.core.$ZodLooseShape>(
  type: Kind,
  fields: Fields & Agreement<LooseOutput<typeof messageBase & { readonly type: z.ZodLiteral<Kind> } & Fields>, Type>,
): z.ZodType<Type> {
  // The agreement makes it the same type under another name.
  return z.looseObject({ type: z.literal(type), ...messageBase, ...fields }) as unknown as z.ZodType<Type>;
}
