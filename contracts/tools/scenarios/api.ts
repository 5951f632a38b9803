import { apiError, createGate, type ScriptedAnswer, type ScriptedTurn, text } from "@reins/testkit";
import { hostUuid, type Scenario } from "../scenario.ts";
import { rawReply } from "./raw-reply.ts";

/** What the CLI makes of an API that fails, and of its limits. */
export const api: readonly Scenario[] = [
  failing("retry", "529, 429, 500 and a cut connection, each tried again with api_retry, then an answer", [
    apiError(529),
    apiError(429, { headers: { "retry-after": "0" } }),
    apiError(500),
    { drop: true },
    text("At last."),
  ]),
  failing(
    "exhausted",
    "529 until there are no tries left: an error assistant and a success result with is_error, exit code 1",
    [apiError(529), apiError(529)],
  ),
  failing("error-401", "401 twice: authentication_failed", [apiError(401), apiError(401)]),
  failing("error-403", "403 is final at once", [apiError(403)]),
  failing("error-404", "404 is tried once more without a stream: model_not_found", [apiError(404), apiError(404)]),
  failing("error-413", "413: the request is too large", [apiError(413)]),
  failing("error-429", "429 twice: rate_limit", [apiError(429), apiError(429)]),
  failingMidStream("error-mid-stream", "an error event in the middle of a block: tried again", apiError(529)),
  failingMidStream("cut-mid-stream", "the connection is cut in the middle of a block: tried again", { drop: true }),
  failing("empty-reply", "a reply without any block, then one with text", [{}, text("An answer.")]),
  {
    name: "api-no-key",
    shows: "no key and no login: authentication_failed, and no request is made",
    argv: ["--setting-sources", "", "--tools", ""],
    env: { ANTHROPIC_API_KEY: undefined },
    play: () => ({
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "api-model-fallback",
    shows: "--fallback-model: the model is overloaded, and model_fallback tells of the other",
    argv: ["--setting-sources", "", "--tools", "", "--fallback-model", "claude-sonnet-4-5"],
    play: () => ({
      model: ({ body }) => (body.model.includes("sonnet") ? text("From the fallback.") : apiError(529)),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "api-refusal",
    shows: "the model refuses twice without saying why: model_refusal_no_fallback, and an error result",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: () => ({ content: text("I can"), stopReason: "refusal" }),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "api-refusal-fallback",
    shows: "the model refuses with stop_details, tries again, and falls back to another model, which refuses too",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: ({ body }, index) => refusal(`msg_${index + 1}`, body.model),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello", { uuid: hostUuid(1) });
      },
    }),
  },
  {
    name: "api-max-tokens",
    shows: "max_tokens once: the model is told to go on by a synthetic user message",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [{ content: text("Part one."), stopReason: "max_tokens" }, text("Part two.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Talk");
      },
    }),
  },
  {
    name: "api-stop-reasons",
    shows: "stop reasons that are passed on to result.stop_reason, one of them unknown",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [
        { content: text("One."), stopReason: "stop_sequence" },
        { content: text("Two."), stopReason: "not_known_yet" },
      ],
      async host(cli) {
        await cli.initialize();
        for (const prompt of ["First", "Second"]) await cli.turn(prompt);
      },
    }),
  },
  {
    name: "api-rate-limit",
    shows: "rate_limit_event with a login: allowed, allowed_warning, then rejected by a 429",
    argv: ["--setting-sources", "", "--tools", ""],
    env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-scripted" },
    play: () => ({
      model: [
        { content: text("Allowed."), headers: limits("allowed", "0.1") },
        {
          content: text("Warned."),
          headers: { ...limits("allowed_warning", "0.9"), [`${unified}-5h-surpassed-threshold`]: "0.9" },
        },
        apiError(429, { headers: { ...limits("rejected", "1"), "x-should-retry": "false" } }),
      ],
      async host(cli) {
        await cli.initialize();
        for (const prompt of ["First", "Second", "Third"]) await cli.turn(prompt);
      },
    }),
  },
];

/** A turn against an API that answers like this; two tries in all unless there are more answers. */
function failing(name: string, shows: string, model: readonly ScriptedAnswer[]): Scenario {
  return {
    name: `api-${name}`,
    shows,
    argv: ["--setting-sources", "", "--tools", ""],
    env: { CLAUDE_CODE_MAX_RETRIES: String(Math.max(1, model.length - 1)) },
    play: () => ({
      model,
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  };
}

/** A turn of which the first try fails behind half of its text, then one that does not. */
function failingMidStream(name: string, shows: string, failure: ScriptedTurn): Scenario {
  return {
    name: `api-${name}`,
    shows,
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => {
      // What was sent just before a cut may be lost, so it waits until the CLI has it.
      const gate = createGate();
      return {
        model: [
          { ...failure, content: text("Half ", "a text"), afterEvents: 3, hold: gate.opened },
          text("Recovered."),
        ],
        async host(cli) {
          await cli.initialize();
          cli.prompt("Hello");
          await cli.until({ type: "stream_event", event: { type: "content_block_delta" } });
          gate.open();
          await cli.result();
        },
      };
    },
  };
}

function refusal(id: string, model: string): ScriptedAnswer {
  const details = { type: "refusal", category: "cyber", explanation: "nope" };
  const deltas = [{ type: "text_delta", text: "I can" }];
  const blocks = [{ start: { type: "text", text: "" }, deltas }];
  return rawReply({ id, model, blocks, end: { stop_reason: "refusal", stop_details: details } });
}

const unified = "anthropic-ratelimit-unified";

function limits(status: string, utilization: string): Record<string, string> {
  return {
    [`${unified}-status`]: status,
    [`${unified}-reset`]: "2000000000",
    [`${unified}-representative-claim`]: "five_hour",
    [`${unified}-5h-status`]: status,
    [`${unified}-5h-reset`]: "2000000000",
    [`${unified}-5h-utilization`]: utilization,
    [`${unified}-fallback`]: "available",
    [`${unified}-overage-status`]: "rejected",
    [`${unified}-overage-disabled-reason`]: "org_level_disabled",
  };
}
