import type {
  HooksListing,
  HooksListingEntry,
  PermissionRuleEntry,
  PermissionRulesState,
  SettingsParseError,
  SettingsResponse,
} from "@reins/messages";
import * as z from "zod";
import { jsonObject, open } from "../open.ts";
import { permissionBehaviorSchema } from "../permissions.ts";
import { loose } from "../pinned.ts";

/** Schema of {@link SettingsParseError}. */
export const settingsParseErrorSchema: z.ZodType<SettingsParseError> = loose({
  file: z.string().exactOptional(),
  path: z.string(),
  message: z.string(),
});

/** Schema of {@link SettingsResponse}. */
export const settingsResponseSchema: z.ZodType<SettingsResponse> = loose({
  effective: jsonObject,
  sources: z.array(z.looseObject({ source: z.string(), settings: jsonObject })),
  served_settings_state: z.string().exactOptional(),
  applied: z.looseObject({
    model: z.string(),
    effort: z.string().nullable(),
  }),
  errors: z.array(settingsParseErrorSchema).exactOptional(),
});

/** Schema of {@link PermissionRuleEntry}. */
export const permissionRuleEntrySchema: z.ZodType<PermissionRuleEntry> = loose({
  behavior: permissionBehaviorSchema,
  source: open(
    "userSettings",
    "projectSettings",
    "localSettings",
    "flagSettings",
    "policySettings",
    "cliArg",
    "command",
    "session",
    "mcpMount",
    "toolsNarrowing",
    "mcpServerPolicy",
    "hostCredential",
  ),
  rule: z.string(),
  description: z
    .looseObject({ prefix: z.string(), emphasis: z.string().exactOptional(), suffix: z.string().exactOptional() })
    .exactOptional(),
  editability: open("persistent", "session", "readonly"),
  notInEffect: z.boolean().exactOptional(),
});

/** Schema of {@link PermissionRulesState}. */
export const permissionRulesStateSchema: z.ZodType<PermissionRulesState> = loose({
  rules: z.array(permissionRuleEntrySchema),
  workspaceDirectories: z.array(z.looseObject({ path: z.string(), source: z.string() })),
  originalCwd: z.string(),
  managedOnly: z.boolean(),
  errors: z.array(settingsParseErrorSchema).exactOptional(),
  withheld: z.boolean().exactOptional(),
});

/** Schema of {@link HooksListingEntry}. */
export const hooksListingEntrySchema: z.ZodType<HooksListingEntry> = loose({
  event: z.string(),
  matcher: z.string(),
  source: z.string(),
  sourceLabel: z.string(),
  pluginName: z.string().exactOptional(),
  type: z.string(),
  displayText: z.string(),
  commandText: z.string(),
  contentLabel: z.string(),
  condition: z.string().exactOptional(),
  timeout: z.number().exactOptional(),
  statusMessage: z.string().exactOptional(),
  runsOnce: z.boolean().exactOptional(),
  runsInBackground: z.boolean().exactOptional(),
  disabled: z.literal(true).exactOptional(),
  editable: z
    .looseObject({ matcher: z.string(), config: jsonObject, headersRedacted: z.literal(true).exactOptional() })
    .exactOptional(),
});

/** Schema of {@link HooksListing}. */
export const hooksListingSchema: z.ZodType<HooksListing> = loose({
  events: z.array(
    z.looseObject({ name: z.string(), summary: z.string(), supportsMatcher: z.boolean(), hookCount: z.number() }),
  ),
  hooks: z.array(hooksListingEntrySchema),
  eventCatalog: z.array(z.looseObject({ name: z.string(), summary: z.string(), supportsMatcher: z.boolean() })),
  policy: z.looseObject({
    disabledByPolicy: z.boolean(),
    managedOnly: z.boolean(),
    pluginOnly: z.boolean(),
    allDisabled: z.boolean(),
    policyHookCount: z.number(),
    policyUnreadable: z.literal(true).exactOptional(),
  }),
  safeMode: z.looseObject({ managedHooksStillApply: z.boolean(), exitHint: z.string() }).exactOptional(),
  bareMode: z.looseObject({ exitHint: z.string() }).exactOptional(),
  errors: z.array(settingsParseErrorSchema).exactOptional(),
});
