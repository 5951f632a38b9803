import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/** Something for a front end to draw, mostly from plugins. */
export type UiSystemMessage =
  | UiInvalidateMessage
  | UiLogMessage
  | UiToastMessage
  | UiNotifyMessage
  | UiNotifyCancelMessage
  | UiStatusMessage
  | UiPanesMessage
  | UiPlacedMessage
  | UiScrollMessage
  | UiFocusMessage;

/** Draw again. Also written on a local pipe, after `set_cwd`. [verified on CLI 2.1.328] */
export interface UiInvalidateMessage extends SystemBase {
  readonly subtype: "ui_invalidate";
  readonly event: OpenString<"ui.render">;
  readonly prompts_screened?: true;
  readonly instances?: unknown[];
}

/** A line for the log. */
export interface UiLogMessage extends SystemBase {
  readonly subtype: "ui_log";
  readonly plugin: string;
  readonly text: string;
}

/** A note that goes away. */
export interface UiToastMessage extends SystemBase {
  readonly subtype: "ui_toast";
  readonly plugin: string;
  readonly text: string;
  readonly timeout_ms: number;
}

/** A notification. */
export interface UiNotifyMessage extends SystemBase {
  readonly subtype: "ui_notify";
  readonly plugin: string;
  readonly source: string;
  readonly title: string;
  readonly text: string;
  readonly key?: string;
  readonly delay_ms?: number;
  readonly at?: number;
  readonly until_back?: boolean;
  readonly rewritten: boolean;
}

/** Takes notifications back. */
export interface UiNotifyCancelMessage extends SystemBase {
  readonly subtype: "ui_notify_cancel";
  readonly plugin: string;
  readonly source: string;
  readonly key?: string;
}

/** The status of a plugin; null for none. */
export interface UiStatusMessage extends SystemBase {
  readonly subtype: "ui_status";
  readonly plugin: string;
  readonly text: string | null;
}

/** Panes. The fields: {@link fieldsOf}. */
export interface UiPanesMessage extends SystemBase {
  readonly subtype: "ui_panes";
}

/** Where rows are. */
export interface UiPlacedMessage extends SystemBase {
  readonly subtype: "ui_placed";
  readonly rows: unknown[];
}

/** Scrolls a component. */
export interface UiScrollMessage extends SystemBase {
  readonly subtype: "ui_scroll";
  readonly client_id: string;
  readonly component: OpenString<"Pane" | "AbovePrompt">;
  readonly instance_id: string;
  readonly offset: number;
  readonly follow_end?: boolean;
}

/** Moves the focus. */
export interface UiFocusMessage extends SystemBase {
  readonly subtype: "ui_focus";
  readonly client_id: string;
  readonly component: OpenString<"Pane" | "AbovePrompt">;
  readonly instance_id: string;
  readonly plugin: string;
  readonly key: string;
}
