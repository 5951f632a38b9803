import type {
  UiFocusMessage,
  UiInvalidateMessage,
  UiLogMessage,
  UiNotifyCancelMessage,
  UiNotifyMessage,
  UiPanesMessage,
  UiPlacedMessage,
  UiScrollMessage,
  UiStatusMessage,
  UiSystemMessage,
  UiToastMessage,
} from "@reins/messages";
import * as z from "zod";
import { kindsOf } from "../kinds.ts";
import { open } from "../open.ts";
import type { SchemasByKind } from "../tables.ts";
import { system } from "./system-base.ts";

/** Schema of {@link UiInvalidateMessage}. */
export const uiInvalidateMessageSchema: z.ZodType<UiInvalidateMessage> = system("ui_invalidate", {
  event: open("ui.render"),
  prompts_screened: z.literal(true).exactOptional(),
  instances: z.array(z.unknown()).exactOptional(),
});

/** Schema of {@link UiLogMessage}. */
export const uiLogMessageSchema: z.ZodType<UiLogMessage> = system("ui_log", { plugin: z.string(), text: z.string() });

/** Schema of {@link UiToastMessage}. */
export const uiToastMessageSchema: z.ZodType<UiToastMessage> = system("ui_toast", {
  plugin: z.string(),
  text: z.string(),
  timeout_ms: z.number(),
});

/** Schema of {@link UiNotifyMessage}. */
export const uiNotifyMessageSchema: z.ZodType<UiNotifyMessage> = system("ui_notify", {
  plugin: z.string(),
  source: z.string(),
  title: z.string(),
  text: z.string(),
  key: z.string().exactOptional(),
  delay_ms: z.number().exactOptional(),
  at: z.number().exactOptional(),
  until_back: z.boolean().exactOptional(),
  rewritten: z.boolean(),
});

/** Schema of {@link UiNotifyCancelMessage}. */
export const uiNotifyCancelMessageSchema: z.ZodType<UiNotifyCancelMessage> = system("ui_notify_cancel", {
  plugin: z.string(),
  source: z.string(),
  key: z.string().exactOptional(),
});

/** Schema of {@link UiStatusMessage}. */
export const uiStatusMessageSchema: z.ZodType<UiStatusMessage> = system("ui_status", {
  plugin: z.string(),
  text: z.string().nullable(),
});

/** Schema of {@link UiPanesMessage}. */
export const uiPanesMessageSchema: z.ZodType<UiPanesMessage> = system("ui_panes", {});

/** Schema of {@link UiPlacedMessage}. */
export const uiPlacedMessageSchema: z.ZodType<UiPlacedMessage> = system("ui_placed", { rows: z.array(z.unknown()) });

/** Schema of {@link UiScrollMessage}. */
export const uiScrollMessageSchema: z.ZodType<UiScrollMessage> = system("ui_scroll", {
  client_id: z.string(),
  component: open("Pane", "AbovePrompt"),
  instance_id: z.string(),
  offset: z.number(),
  follow_end: z.boolean().exactOptional(),
});

/** Schema of {@link UiFocusMessage}. */
export const uiFocusMessageSchema: z.ZodType<UiFocusMessage> = system("ui_focus", {
  client_id: z.string(),
  component: open("Pane", "AbovePrompt"),
  instance_id: z.string(),
  plugin: z.string(),
  key: z.string(),
});

/** Schemas of {@link UiSystemMessage}, by subtype. */
export const uiSystemMessageSchemas: SchemasByKind<UiSystemMessage, "subtype"> = {
  ui_invalidate: uiInvalidateMessageSchema,
  ui_log: uiLogMessageSchema,
  ui_toast: uiToastMessageSchema,
  ui_notify: uiNotifyMessageSchema,
  ui_notify_cancel: uiNotifyCancelMessageSchema,
  ui_status: uiStatusMessageSchema,
  ui_panes: uiPanesMessageSchema,
  ui_placed: uiPlacedMessageSchema,
  ui_scroll: uiScrollMessageSchema,
  ui_focus: uiFocusMessageSchema,
};

/** Schema of {@link UiSystemMessage}. */
export const uiSystemMessageSchema: z.ZodType<UiSystemMessage> = kindsOf("subtype", uiSystemMessageSchemas);
