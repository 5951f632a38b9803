import type { OpenString } from "../open.ts";
import type { EffortLevel } from "../system/init.ts";

/** A command that a prompt may begin with. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What to write behind it, such as `<file>`; may be empty. */
  readonly argumentHint: string;
  readonly aliases?: string[];
  readonly builtin?: boolean;
}

/** A kind of subagent. */
export interface AgentInfo {
  readonly name: string;
  readonly description: string;
  readonly model?: string;
}

/** A model that the session may use. */
export interface ModelInfo {
  /** What to give to `set_model`. */
  readonly value: string;
  readonly resolvedModel?: string;
  readonly displayName: string;
  readonly description: string;
  readonly supportsEffort?: boolean;
  readonly supportedEffortLevels?: EffortLevel[];
  readonly supportsAdaptiveThinking?: boolean;
  readonly supportsFastMode?: boolean;
  readonly supportsAutoMode?: boolean;
  readonly supportsThinkingOff?: boolean;
}

/** Who is logged in. The first three are there for a person's login only. */
export interface AccountInfo {
  readonly email?: string;
  readonly organization?: string;
  readonly subscriptionType?: string;
  readonly tokenSource?: string;
  readonly apiKeySource?: string;
  readonly apiProvider?: OpenString<
    "firstParty" | "bedrock" | "vertex" | "foundry" | "anthropicAws" | "anthropicGoogleCloud" | "mantle" | "gateway"
  >;
}
