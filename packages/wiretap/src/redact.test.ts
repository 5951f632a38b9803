import { describe, expect, test } from "vitest";
import { Redactor } from "./redact.ts";

// Built of parts, so that nobody takes this file for a leak.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const many = (length: number): string => letters.repeat(Math.ceil(length / letters.length)).slice(0, length);

const forms: readonly (readonly [string, string])[] = [
  ["Anthropic API key", `sk-ant-api03-${many(80)}-${many(8)}AA`],
  ["Anthropic OAuth access token", `sk-ant-oat01-${many(80)}`],
  ["Anthropic OAuth refresh token", `sk-ant-ort01-${many(80)}`],
  ["Anthropic session key", `sk-ant-sid01-${many(80)}`],
  ["Anthropic admin key", `sk-ant-admin01-${many(80)}`],
  ["OpenAI key", `sk-${many(48)}`],
  ["OpenAI project key", `sk-proj-${many(40)}`],
  ["OpenRouter key", `sk-or-v1-${many(64)}`],
  ["Stripe key", `sk_${"live"}_${many(24)}`],
  ["AWS access key id", `${"AKIA"}ABCDEFGHIJKLMNOP`],
  ["AWS temporary access key id", `${"ASIA"}ABCDEFGHIJKLMNOP`],
  ["Bedrock API key", `ABSK${many(100)}`],
  ["Google API key", `${"AIza"}${many(35)}`],
  ["Google access token", `ya29.${many(60)}`],
  ["Google refresh token", `1//0${many(60)}`],
  ["Google client secret", `GOCSPX-${many(28)}`],
  ["GitHub token", `ghp_${many(36)}`],
  ["GitHub fine-grained token", `github_pat_${many(60)}`],
  ["GitLab token", `glpat-${many(20)}`],
  ["npm token", `npm_${many(36)}`],
  ["PyPI token", `pypi-${many(80)}`],
  ["Slack token", `xoxb-${"1".repeat(12)}-${many(24)}`],
  ["Hugging Face token", `hf_${many(34)}`],
  ["JSON web token", `eyJ${many(30)}.eyJ${many(60)}.${many(43)}`],
  ["private key", `-----BEGIN ${"PRIVATE"} KEY-----\\n${many(200)}\\n-----END ${"PRIVATE"} KEY-----`],
  ["RSA private key", `-----BEGIN RSA ${"PRIVATE"} KEY-----\\n${many(200)}\\n-----END RSA ${"PRIVATE"} KEY-----`],
];

describe("a credential of a known form is taken out wherever it stands", () => {
  test.each(forms)("%s", (_, secret) => {
    const redactor = new Redactor();
    const shown = redactor.text(`{"a":"before ${secret}","b":"${secret}"}`);
    expect(JSON.parse(shown)).toEqual({ a: "before <redacted>", b: "<redacted>" });
    expect(redactor.headers(["X-Custom", secret.replaceAll("\\n", "")])).toEqual({ "x-custom": "<redacted>" });
    // No other form may stand in a URL as it is.
    if (!secret.includes(" ")) expect(redactor.path(`/v1/${secret}?x=${secret}`)).toBe("/v1/<redacted>?x=<redacted>");
  });

  test("behind the word Bearer or Basic, of any form", () => {
    const shown = new Redactor().text(`curl -H "Authorization: Bearer ${many(20)}" -H 'a: Basic ${many(20)}=='`);
    expect(shown).toBe(`curl -H "Authorization: Bearer <redacted>" -H 'a: Basic <redacted>'`);
  });

  test("as user and password in a URL", () => {
    const shown = new Redactor().text("postgres://admin:hunter2@db.example:5432/x and https://example.com/a:b@c");
    expect(shown).toBe("postgres://<redacted>@db.example:5432/x and https://example.com/a:b@c");
  });
});

describe("the name says that it is a credential", () => {
  test.each([
    "Authorization",
    "Proxy-Authorization",
    "X-Api-Key",
    "api-key",
    "Cookie",
    "Set-Cookie",
    "X-Goog-Api-Key",
    "Ocp-Apim-Subscription-Key",
    "X-Amz-Security-Token",
    "X-Auth-Token",
    "cf-access-client-secret",
    "Helicone-Auth",
    "X-CSRF-Token",
    "X-Gateway-Password",
    "X-Signature",
  ])("of the header %s", (name) => {
    expect(new Redactor().headers([name, "of no known form"])).toEqual({ [name.toLowerCase()]: "<redacted>" });
  });

  test("of a parameter of the query", () => {
    const shown = new Redactor().path("/v1/x?key=short&access_token=a%20b&beta=true&X-Amz-Signature=00&empty");
    expect(shown).toBe("/v1/x?key=<redacted>&access_token=<redacted>&beta=true&X-Amz-Signature=<redacted>&empty");
    expect(new Redactor().path("/v1/x?api%5Fkey=short&sig=short&%=1")).toBe(
      "/v1/x?api%5Fkey=<redacted>&sig=<redacted>&%=1",
    );
  });

  test("of a field of a form", () => {
    const shown = new Redactor().parameters("grant_type=refresh_token&refresh_token=short&client_id=x");
    expect(shown).toBe("grant_type=refresh_token&refresh_token=<redacted>&client_id=x");
  });

  test("of a field of JSON that no model wrote", () => {
    const body = { accessToken: "a", refresh_token: "b", expires: 5, user: [{ clientSecret: "c", name: "d" }] };
    expect(new Redactor().fields(body)).toEqual({
      accessToken: "<redacted>",
      refresh_token: "<redacted>",
      expires: 5,
      user: [{ clientSecret: "<redacted>", name: "d" }],
    });
  });
});

test("a credential of no known form that was in a header is known in every text", () => {
  const redactor = new Redactor();
  redactor.headers(["authorization", "Bearer my-own-gateway-token", "x-api-key", "1234"]);
  expect(redactor.text("I use my-own-gateway-token, not 1234.")).toBe("I use <redacted>, not 1234.");
});

test("the values of cookies are known in every text, their attributes are not", () => {
  const redactor = new Redactor();
  redactor.headers(["cookie", "a=first-of-two-cookies; b=second-of-two-cookies"]);
  redactor.headers(["set-cookie", "c=third-of-all-cookies; Domain=gateway.example.com; Path=/somewhere/else"]);
  const text = "first-of-two-cookies second-of-two-cookies third-of-all-cookies gateway.example.com /somewhere/else";
  expect(redactor.text(text)).toBe("<redacted> <redacted> <redacted> gateway.example.com /somewhere/else");
});

test.each([
  "anthropic-version",
  "anthropic-beta",
  "user-agent",
  "x-stainless-os",
  "anthropic-ratelimit-tokens-remaining",
  "x-claude-code-session-id",
  "content-type",
])("the header %s stays as it is", (name) => {
  expect(new Redactor().headers([name, "value"])).toEqual({ [name]: "value" });
});

test("headers of one name are joined, and none is lost by its name", () => {
  const headers = new Redactor().headers(["A", "1", "a", "2", "__proto__", "3"]);
  expect(Object.entries(headers)).toEqual([
    ["a", "1, 2"],
    ["__proto__", "3"],
  ]);
});

test.each([
  ["base64", `${many(4_000_000)}+/==`],
  ["beginnings of tokens", "-eyJaaaaaaaa".repeat(100_000)],
  ["beginnings of private keys", `-----BEGIN ${"PRIVATE"} KEY-----`.repeat(30_000)],
  ["schemes", "a://".repeat(500_000)],
  ["words and colons", "ab:c ".repeat(500_000)],
])("a long text of %s costs little", (_, text) => {
  const start = performance.now();
  new Redactor().text(text);
  // Quadratic it would be minutes. The bound is for a machine under load.
  expect(performance.now() - start).toBeLessThan(10_000);
});
