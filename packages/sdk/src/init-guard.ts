import type { Message } from "@reins/messages";
import { ReinsError } from "@reins/streamjson";
import type { Options } from "./options.ts";

/** The session has other tools than `expectedTools` says. It was ended before the model could use them. */
export class ToolSurfaceMismatchError extends ReinsError {
  readonly code = "REINS_TOOL_SURFACE" as const;
  /** Tools that were expected and are not there. */
  readonly missing: readonly string[];
  /** Tools that are there and were not expected. */
  readonly extra: readonly string[];

  constructor(missing: readonly string[], extra: readonly string[]) {
    const parts = [
      ...(missing.length > 0 ? [`${missing.join(", ")} missing`] : []),
      ...(extra.length > 0 ? [`${extra.join(", ")} not expected`] : []),
    ];
    super(
      `The tools of the session are not the expected ones: ${parts.join("; ")}. Look at tools, mcpServers and settingSources, or correct expectedTools.`,
    );
    this.missing = missing;
    this.extra = extra;
  }

  override get name(): string {
    return "ToolSurfaceMismatchError";
  }
}

/** The session would be billed to an API key, where `requireSubscription` asks for the login of a subscription. It was ended. */
export class ApiKeyAuthError extends ReinsError {
  readonly code = "REINS_API_KEY_AUTH" as const;
  /** Where the CLI has the key from, in its own words. */
  readonly apiKeySource: string;

  constructor(apiKeySource: string) {
    super(
      `The session uses an API key (${apiKeySource}), not the login of a subscription. Take the key out of the environment and settings of the CLI, or leave requireSubscription out.`,
    );
    this.apiKeySource = apiKeySource;
  }

  override get name(): string {
    return "ApiKeyAuthError";
  }
}

/**
 * Looks at each init message, which precedes the model's turn, and throws where it is not what the options ask for.
 *
 * @returns `undefined` when the options ask for nothing.
 */
export function initGuard({ expectedTools, requireSubscription }: Options): ((message: Message) => void) | undefined {
  if (expectedTools == null && !requireSubscription) return undefined;
  return (message) => {
    if (message.type !== "system" || message.subtype !== "init") return;
    // An init message of a later CLI may lack what this one has.
    const { tools = [], apiKeySource = "none" } = message as { tools?: readonly string[]; apiKeySource?: string };
    if (requireSubscription && !subscriptionSources.includes(apiKeySource)) throw new ApiKeyAuthError(apiKeySource);
    if (expectedTools == null) return;
    const missing = expectedTools.filter((name) => !tools.includes(name));
    const extra = tools.filter((name) => !expectedTools.includes(name));
    if (missing.length + extra.length > 0) throw new ToolSurfaceMismatchError(missing, extra);
  };
}

/** What the CLI says of a login: `none` for a key that is none. */
const subscriptionSources: readonly string[] = ["none", "oauth"];
