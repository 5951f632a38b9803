import { expect, test } from "vitest";
import { redactSecrets } from "./redact.ts";

test.each([
  ["Authorization: Bearer abcdef.ghijkl-0123", "Authorization: Bearer <redacted>"],
  ["authorization: basic dXNlcjpwYXNz", "authorization: basic <redacted>"],
  ["sk-ant-REDACTED and sk_live_0123456789", "<redacted> and <redacted>"],
  ["ghp_0123456789abcdef github_pat_0123456789 glpat-0123456789", "<redacted> <redacted> <redacted>"],
  ["xoxb-1234-5678-abcdef npm_0123456789ab", "<redacted> <redacted>"],
  ["AKIAIOSFODNN7EXAMPLE", "<redacted>"],
  ["AIzaSyA1234567890abcdefghijklmnopqrstuv", "<redacted>"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-123", "<redacted>"],
  ["postgres://user:hunter2@db/x", "postgres://user:<redacted>@db/x"],
  [
    '{"api_key":"0123456789"} ANTHROPIC_AUTH_TOKEN=abcdefgh',
    '{"api_key":"<redacted>"} ANTHROPIC_AUTH_TOKEN=<redacted>',
  ],
])("redacts %j", (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
});

test.each([
  "Error: Invalid session ID. Must be a valid UUID.",
  "SyntaxError: Unexpected token < in JSON at position 0",
  "Error parsing streaming input line (type=unknown, 8 chars): SyntaxError",
  "max_tokens: 4096, at http://127.0.0.1:8080/v1/messages?beta=true",
  "the task-runner asked for risk-assessment",
])("leaves %j as it is", (text) => {
  expect(redactSecrets(text)).toBe(text);
});
