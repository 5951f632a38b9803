import type { LaunchOptions } from "./launch-options.ts";
import { isObject, isTexts } from "./option-rules.ts";
import { toolRules } from "./tool-rules.ts";
import type { LaunchWarning } from "./warnings.ts";

/**
 * Says where whoever decides about permissions (`canUseTool`, or an MCP tool) is not asked, although that was probably meant: in modes that
 * ask nobody, and about tools that a rule allows as a whole. Rules that name a part, such as `Bash(git *)`, are a choice.
 */
export function permissionWarnings(options: LaunchOptions): readonly LaunchWarning[] {
  if (!options.permissionPromptToolName) return [];
  const { permissionMode, permissionPrompts } = options;
  const warnings: LaunchWarning[] = [];
  const shadowed = (option: string, reason: string): void => {
    warnings.push({ code: "REINS_PERMISSION_SHADOWED", option, message: `The permission callback ${reason}` });
  };
  if (permissionMode === "bypassPermissions" || permissionMode === "dontAsk") {
    const outcome = permissionMode === "dontAsk" ? "denies what no rule allows" : "allows everything";
    shadowed("permissionMode", `is never asked: the mode ${permissionMode} ${outcome}. Use another mode.`);
  }
  if (permissionPrompts === "none") {
    shadowed("permissionPrompts", 'is never asked: permissionPrompts is "none". Leave it out.');
  }
  for (const [option, rules] of Object.entries(allowRules(options))) {
    const tools = [...new Set(rules.filter(isWholeTool))];
    if (tools.length === 0) continue;
    shadowed(option, `is not asked about ${tools.join(", ")}: ${option} allows it without a question. Take it out.`);
  }
  return warnings;
}

function allowRules({ allowedTools = [], settings }: LaunchOptions): Readonly<Record<string, readonly string[]>> {
  const permissions = isObject(settings) ? settings["permissions"] : undefined;
  const allow = isObject(permissions) ? permissions["allow"] : undefined;
  return { allowedTools: toolRules(allowedTools), "settings.permissions.allow": isTexts(allow) ? allow : [] };
}

/** `Read`, and what means the same. */
function isWholeTool(rule: string): boolean {
  return !rule.includes("(") || /\(\s*\*?\s*\)$/.test(rule);
}
