import { OptionNotAppliedError } from "./errors.ts";
import { type OnWarning, warn } from "./warnings.ts";

/** Fields of the initialize request that the CLI has to have taken before it is given a prompt, and where its answer says so. */
const required: Readonly<Record<string, string>> = {
  settings: "settings_applied",
  managedSettings: "managed_settings_applied",
  disallowedTools: "disallowed_tools_applied",
};

/** Fields that it answers for without a promise: a server may be refused by a policy. */
const reported: Readonly<Record<string, string>> = {
  mcpServers: "mcp_servers_applied",
  plugins: "plugins_applied",
};

/** Whether an initialize request has something that the CLI needs to have taken before the first prompt. */
export function mustBeApplied(initialize: Readonly<Record<string, unknown>>): boolean {
  return Object.keys({ ...required, ...reported }).some((field) => field in initialize);
}

/**
 * Looks whether the CLI took what it was told at its start. A CLI that does not wait for the initialize request (one that was started by
 * other means than the arguments of `buildLaunch`) ignores its settings, which may forbid something.
 *
 * "Taken" is all that it says: a server may still fail to start, a folder of a plugin may be missing.
 *
 * @param initialize What was sent: {@link Launch.initialize}.
 * @param answer The response of the CLI.
 * @throws {@link OptionNotAppliedError}
 * @see contracts/control.md, "initialize"; verified against CLI 2.1.328
 */
export function checkInitializeAnswer(
  initialize: Readonly<Record<string, unknown>>,
  answer: object,
  onWarning?: OnWarning,
): void {
  const replies = new Map<string, unknown>(Object.entries(answer));
  for (const [field, reply] of Object.entries(required)) {
    if (field in initialize && replies.get(reply) !== true) throw new OptionNotAppliedError(field);
  }
  for (const [field, reply] of Object.entries(reported)) {
    if (!(field in initialize) || replies.get(reply) === true) continue;
    // No word about them: it does not know the field, and runs without them.
    if (field === "mcpServers" && replies.get(reply) !== false) throw new OptionNotAppliedError(field);
    const message = `The CLI did not apply the option ${field}. Look at its settings and policies, or set the delivery to "argv".`;
    warn(onWarning, { code: "REINS_NOT_APPLIED", option: field, message });
  }
}
