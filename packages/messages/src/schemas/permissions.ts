import type {
  DecisionReasonType,
  McpServerProvenance,
  PermissionAllow,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDeny,
  PermissionMode,
  PermissionResult,
  PermissionRule,
  PermissionUpdate,
  PermissionUpdateDestination,
} from "@reins/messages";
import * as z from "zod";
import { kinds } from "./kinds.ts";
import { jsonObject, open } from "./open.ts";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link PermissionMode}. */
export const permissionModeSchema: z.ZodType<PermissionMode> = pinned(
  open("default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"),
);

/** Schema of {@link PermissionBehavior}. */
export const permissionBehaviorSchema: z.ZodType<PermissionBehavior> = pinned(z.enum(["allow", "deny", "ask"]));

/** Schema of {@link PermissionUpdateDestination}. */
export const permissionUpdateDestinationSchema: z.ZodType<PermissionUpdateDestination> = pinned(
  z.enum(["userSettings", "projectSettings", "localSettings", "session", "cliArg"]),
);

/** Schema of {@link PermissionRule}. */
export const permissionRuleSchema: z.ZodType<PermissionRule> = loose({
  toolName: z.string(),
  ruleContent: z.string().optional(),
});

/** Schema of {@link PermissionUpdate}. */
export const permissionUpdateSchema: z.ZodType<PermissionUpdate> = pinned(
  kinds("type", [
    z.looseObject({
      type: z.enum(["addRules", "replaceRules", "removeRules"]),
      rules: z.array(permissionRuleSchema),
      behavior: permissionBehaviorSchema,
      destination: permissionUpdateDestinationSchema,
    }),
    z.looseObject({
      type: z.literal("setMode"),
      mode: permissionModeSchema,
      destination: permissionUpdateDestinationSchema,
    }),
    z.looseObject({
      type: z.enum(["addDirectories", "removeDirectories"]),
      directories: z.array(z.string()),
      destination: permissionUpdateDestinationSchema,
    }),
  ]),
);

/** Schema of {@link PermissionDecisionClassification}. */
export const permissionDecisionClassificationSchema: z.ZodType<PermissionDecisionClassification> = pinned(
  z.enum(["user_temporary", "user_permanent", "user_reject"]),
);

/** Schema of {@link PermissionAllow}. */
export const permissionAllowSchema: z.ZodType<PermissionAllow> = loose({
  behavior: z.literal("allow"),
  updatedInput: jsonObject.optional(),
  updatedPermissions: z.array(permissionUpdateSchema).optional(),
  toolUseID: z.string().optional(),
  decisionClassification: permissionDecisionClassificationSchema.optional(),
});

/** Schema of {@link PermissionDeny}. */
export const permissionDenySchema: z.ZodType<PermissionDeny> = loose({
  behavior: z.literal("deny"),
  message: z.string(),
  interrupt: z.boolean().optional(),
  toolUseID: z.string().optional(),
  decisionClassification: permissionDecisionClassificationSchema.optional(),
});

/** Schema of {@link PermissionResult}. */
export const permissionResultSchema: z.ZodType<PermissionResult> = pinned(
  kinds("behavior", [permissionAllowSchema, permissionDenySchema]),
);

/** Schema of {@link DecisionReasonType}. */
export const decisionReasonTypeSchema: z.ZodType<DecisionReasonType> = pinned(
  open(
    "rule",
    "mode",
    "subcommandResults",
    "permissionPromptTool",
    "hook",
    "asyncAgent",
    "sandboxOverride",
    "workingDir",
    "safetyCheck",
    "classifier",
    "other",
  ),
);

/** Schema of {@link McpServerProvenance}. */
export const mcpServerProvenanceSchema: z.ZodType<McpServerProvenance> = loose({
  name: z.string(),
  source: z.string(),
});
