/** How the answer to a request ended: in full, cut by the script or by `close()`, or given up by the client before its end. */
export type RequestEnd = "answered" | "dropped" | "cancelled";

/** A request that is no call of the model: a probe, a token count, a path that the scripted model does not know. */
export interface SideRequest {
  readonly method: string;
  /** Path with its query. For a request that was meant for another host: that host and port, or the whole URL. */
  readonly path: string;
  /** Headers by lower-case name. Credentials read `<redacted>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; its text when it is not JSON; `undefined` when there is none. */
  readonly body: unknown;
}

/** A call of the model, with what tests ask most. */
export interface ModelRequest extends SideRequest {
  readonly body: MessagesBody;
  /** Names of the tools on offer, in order. */
  readonly toolNames: readonly string[];
  /** Texts of the last user message, without the `<system-reminder>` blocks that the CLI adds, joined by newlines. */
  readonly userText: string;
  /** The system prompt and all system messages between the turns, joined by blank lines. */
  readonly systemText: string;
  /** Results of the tool uses of the last reply, in the order of the wire. */
  readonly toolResults: readonly ToolResult[];
  /** How the answer ended. Pending while it is being written or held. */
  readonly ended: Promise<RequestEnd>;
}

/** What a tool gave back to the model. */
export interface ToolResult {
  readonly toolUseId: string;
  /** The text blocks, joined by newlines. Other blocks are in the body of the request. */
  readonly text: string;
  readonly isError: boolean;
}

/** Body of a call of the model. All that it holds is there, the fields that every call has are typed. */
export interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly MessagesBodyMessage[];
  readonly stream?: boolean;
  readonly system?: string | readonly ContentBlock[];
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** A message of a {@link MessagesBody}. The CLI also writes `system` messages between the turns. */
export interface MessagesBodyMessage {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

/** A content block as the client wrote it. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Tells whether a body can be answered as a call of the model. */
export function isMessagesBody(body: unknown): body is MessagesBody {
  if (!isObject(body)) return false;
  const { model, messages, tools = [] } = body;
  return typeof model === "string" && isObjectList(messages) && isObjectList(tools);
}

/** Reads the frequent questions off a body. */
export function createModelRequest(
  request: SideRequest & { readonly body: MessagesBody },
  ended: Promise<RequestEnd>,
): ModelRequest {
  const { body } = request;
  return {
    ...request,
    ended,
    toolNames: (body.tools ?? []).map((tool) => tool.name),
    userText: userText(body),
    systemText: systemText(body),
    toolResults: toolResults(body),
  };
}

function userText(body: MessagesBody): string {
  const last = body.messages.findLast((message) => message.role === "user");
  return textsOf(last?.content)
    .filter((text) => !text.startsWith("<system-reminder>"))
    .join("\n");
}

function systemText(body: MessagesBody): string {
  const between = body.messages.filter((message) => message.role === "system");
  return [body.system, ...between.map((message) => message.content)].flatMap(textsOf).join("\n\n");
}

function toolResults(body: MessagesBody): ToolResult[] {
  const lastReply = body.messages.findLastIndex((message) => message.role === "assistant");
  return body.messages
    .slice(lastReply + 1)
    .flatMap((message) => blocksOf(message.content))
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      toolUseId: String(block["tool_use_id"]),
      text: textsOf(block["content"]).join("\n"),
      isError: block["is_error"] === true,
    }));
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocksOf(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function blocksOf(content: unknown): readonly ContentBlock[] {
  return isObjectList(content)
    ? content.filter((block): block is ContentBlock => typeof block["type"] === "string")
    : [];
}

function isObjectList(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
