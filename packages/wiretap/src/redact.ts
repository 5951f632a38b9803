/** What stands in the place of a credential. */
const REDACTED = "<redacted>";

// Parts of names of headers, query parameters and JSON fields whose value is a credential whatever it looks like.
const secretName =
  /(^|[-_.])(authorization|auth|(api|access|secret)?[-_]?key|(access|refresh|id|session)?token|(client)?secret|password|passwd|cookie|credentials?|sig|signature|jwt)(\d*)($|[-_.])/i;

// Forms of credentials in any text, each behind a text that it holds: to look for that is fifty times quicker. None matches a quote or a
// backslash, so JSON stays JSON. Repetitions in the middle are bounded, so that the search stays linear.
const secretForms: readonly (readonly [holds: readonly string[], form: RegExp])[] = [
  // Anthropic: API keys, OAuth access and refresh tokens, session keys.
  [["sk-ant-"], /\bsk-ant-[\w-]{8,}/g],
  // OpenAI, OpenRouter, Stripe and who writes keys like them.
  [
    ["live", "test", "proj", "or", "svcacct", "admin"].flatMap((kind) => [`k-${kind}-`, `k_${kind}_`]),
    /\b(?:sk|rk|pk)[-_](?:live|test|proj|or|svcacct|admin)[-_][\w-]{12,}/g,
  ],
  [["sk-"], /\bsk-[A-Za-z0-9]{20,}\b/g],
  // Amazon: ids of access keys. The secret has no form of its own.
  [["AKIA", "ASIA", "ABIA", "ACCA"], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  [["ABSK"], /\bABSK[A-Za-z0-9+/=]{40,}/g],
  // Google: API keys, OAuth access and refresh tokens, client secrets.
  [["AIza"], /\bAIza[\w-]{30,}/g],
  [["ya29."], /\bya29\.[\w.-]{20,}/g],
  [["1//0"], /\b1\/\/0[\w-]{20,}/g],
  [["GOCSPX-"], /\bGOCSPX-[\w-]{16,}/g],
  // GitHub, GitLab, npm, PyPI, Slack, Hugging Face.
  [["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g],
  [["github_pat_"], /\bgithub_pat_\w{20,}/g],
  [["glpat-"], /\bglpat-[\w-]{16,}/g],
  [["npm_"], /\bnpm_[A-Za-z0-9]{30,}\b/g],
  [["pypi-"], /\bpypi-[\w-]{40,}/g],
  [["xox"], /\bxox[abeoprs]-[\w-]{10,}/g],
  [["hf_"], /\bhf_[A-Za-z0-9]{20,}\b/g],
  // JSON web tokens.
  [[".eyJ"], /\beyJ[\w-]{8,512}\.eyJ[\w-]{8,16384}\.[\w-]*/g],
  [
    ["PRIVATE KEY-----"],
    /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----[^-"]{1,8000}-----END (?:[A-Z]+ ){0,3}PRIVATE KEY-----/g,
  ],
  // What stands behind the schemes of the header, wherever that is quoted.
  [["Bearer "], /(?<=Bearer )[\w.~+/=-]{12,}/g],
  [["Basic "], /(?<=Basic )[A-Za-z0-9+/]{12,}={0,2}/g],
  // User and password in a URL.
  [["://"], /(?<=:\/\/)[^\s/@:"\\]{0,200}:[^\s/@"\\]{1,200}(?=@)/g],
];

// A shorter value stands in too many places that are none of its own.
const shortestKnown = 12;

/**
 * Takes credentials out of what is written.
 *
 * By three rules: a header, query parameter or, outside of calls of the model, JSON field whose name says that it is one; a text that has
 * the form of one, anywhere; and a value that a header was redacted for, wherever else it stands.
 */
export class Redactor {
  readonly #known = new Set<string>();

  /** Headers by lower-case name, credentials redacted. */
  headers(raw: readonly string[]): Record<string, string> {
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = (raw[i] ?? "").toLowerCase();
      const value = raw[i + 1] ?? "";
      const isSecret = isSecretName(name);
      if (isSecret) this.#learn(name, value);
      const shown = isSecret ? REDACTED : this.text(value);
      const before = headers.find(([known]) => known === name);
      if (before) before[1] = `${before[1]}, ${shown}`;
      else headers.push([name, shown]);
    }
    // Not by assignment, which would lose a header that is called __proto__.
    return Object.fromEntries(headers);
  }

  /** A path with its query. */
  path(path: string): string {
    const at = path.indexOf("?");
    if (at === -1) return this.text(path);
    return this.text(`${path.slice(0, at)}?${this.parameters(path.slice(at + 1))}`);
  }

  /** A query, or a form as it is sent. */
  parameters(query: string): string {
    const shown = query.split("&").map((parameter) => {
      const [name = "", value] = parameter.split("=", 2);
      return value !== undefined && isSecretName(decoded(name)) ? `${name}=${REDACTED}` : parameter;
    });
    return shown.join("&");
  }

  /** A text. JSON in it stays JSON. */
  text(text: string): string {
    let shown = text;
    for (const known of this.#known) shown = shown.replaceAll(known, REDACTED);
    for (const [holds, form] of secretForms) {
      if (holds.some((text) => shown.includes(text))) shown = shown.replace(form, REDACTED);
    }
    return shown;
  }

  /** A JSON value whose fields are named after what they hold: not one that people or models wrote. */
  fields(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.fields(item));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, field]): [string, unknown] => {
      const isSecret = isSecretName(snake(name)) && typeof field === "string";
      return [name, isSecret ? REDACTED : this.fields(field)];
    });
    return Object.fromEntries(entries);
  }

  #learn(name: string, value: string): void {
    const pairs = name === "cookie" ? value.split("; ") : name === "set-cookie" ? value.split(";", 1) : [];
    const cookies = pairs.map((pair) => pair.slice(pair.indexOf("=") + 1));
    // Alone, behind a scheme, or the value of a cookie.
    for (const part of [value, value.replace(/^\S+ /, ""), ...cookies]) {
      if (part.length >= shortestKnown && !part.includes('"') && !part.includes("\\")) this.#known.add(part);
    }
  }
}

function isSecretName(name: string): boolean {
  return secretName.test(name);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}
