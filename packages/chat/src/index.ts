export type { ChatEnd, ChatOptions } from "./run-chat.ts";
export { runChat } from "./run-chat.ts";
