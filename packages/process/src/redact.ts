/**
 * Replaces what looks like a secret by `<redacted>`: what stands behind `Bearer` and `Basic`, keys and tokens of known services,
 * JSON web tokens, passwords in URLs, and the value of a name such as `api_key` or `TOKEN`.
 *
 * A net with holes: it knows the shapes that it knows.
 */
export function redactSecrets(text: string): string {
  return patterns.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 <redacted>"],
  // Anthropic, OpenAI, Stripe.
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/g, "<redacted>"],
  // GitHub, GitLab, Slack, npm, Square.
  [/\b(?:gh[opsur]_|github_pat_|glpat-|xox[a-z]-|npm_|sq0[a-z]{3}-)[A-Za-z0-9_-]{8,}/g, "<redacted>"],
  // Google, AWS.
  [/\b(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{8,}|(?:AKIA|ASIA)[A-Z0-9]{16})/g, "<redacted>"],
  // JSON web tokens.
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, "<redacted>"],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]+@/gi, "$1<redacted>@"],
  [
    /((?:api[_-]?key|token|secret|passw(?:or)?d)["']?\s{0,4}[:=]\s{0,4}["']?)(?!<redacted>)[^\s"',;]{6,}/gi,
    "$1<redacted>",
  ],
];
