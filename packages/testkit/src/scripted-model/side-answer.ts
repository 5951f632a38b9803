import type { ServerResponse } from "node:http";
import { isMessagesBody, type MessagesBody, type SideRequest } from "./request.ts";
import { type ScriptedTurn, text } from "./turn.ts";

/**
 * The turn for a call of the model that is not part of the conversation, or `undefined` when the script has to answer.
 *
 * Seen with CLI 2.1.328: `max_tokens: 1` checks the key, the model (`set_model`) or the quota; a call without tools that asks for
 * an object with a `title` names the session (`generate_session_title`).
 */
export function sideTurn(body: MessagesBody): ScriptedTurn | undefined {
  if (body.max_tokens === 1) {
    return {
      content: text("ok"),
      stopReason: "max_tokens",
      usage: { input_tokens: estimateTokens(body), output_tokens: 1 },
    };
  }
  return asksForTitle(body) ? { content: text(JSON.stringify({ title: "Scripted session" })) } : undefined;
}

/** Answers a request that is no call of the model. Returns whether the scripted model knows what was asked. */
export function answerSideRequest(request: SideRequest, response: ServerResponse): boolean {
  const path = request.path.replace(/\?.*$/, "");
  if (path === "/v1/messages/count_tokens" && isMessagesBody(request.body)) {
    answerJson(response, 200, { input_tokens: estimateTokens(request.body) });
    return true;
  }
  // A probe for the connection, sent at the start unless CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC is set.
  if (path === "/api/hello" && (request.method === "HEAD" || request.method === "GET")) {
    answerJson(response, 200, { message: "hello" });
    return true;
  }
  const message = `The scripted model knows no ${request.method} ${path}.`;
  answerJson(response, 404, { type: "error", error: { type: "not_found_error", message } });
  return false;
}

/** Writes a small answer at once. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Four characters a token: enough for sums that grow with what is sent. */
function estimateTokens(body: MessagesBody): number {
  return Math.ceil(JSON.stringify([body.system, body.tools, body.messages]).length / 4);
}

function asksForTitle(body: MessagesBody): boolean {
  if (body.tools !== undefined && body.tools.length > 0) return false;
  // The path to the one field that matters; whatever is not there ends it.
  const names = ["output_config", "format", "schema", "properties", "title"];
  return names.reduce<unknown>((value, name) => property(value, name), body) !== undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
