import type { SessionLocation } from "@reins/sessions";
import type { Ask } from "../panels/panel.ts";
import type { Conversation } from "./conversation.ts";

/** What a command works with. */
export interface CommandContext {
  readonly conversation: Conversation;
  /** Where transcripts are. */
  readonly location: SessionLocation;
  /** Without it nobody can be asked, and a command needs its argument. */
  readonly ask: Ask | undefined;
  /** Says something to the person, in Markdown. */
  say(markdown: string): void;
  /** Shows what somebody has said in a session of the past. */
  replay(role: "user" | "assistant", text: string): void;
  exit(): void;
}
