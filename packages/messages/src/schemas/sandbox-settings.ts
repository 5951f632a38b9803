import type {
  SandboxCredentialFile,
  SandboxCredentialRule,
  SandboxCredentialSettings,
  SandboxCredentialVariable,
  SandboxFilesystemSettings,
  SandboxNetworkSettings,
  SandboxSettings,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { loose, shape } from "./pinned.ts";

/** Schema of {@link SandboxNetworkSettings}. */
export const sandboxNetworkSettingsSchema: z.ZodType<SandboxNetworkSettings> = loose({
  allowedDomains: z.array(z.string()).optional(),
  deniedDomains: z.array(z.string()).optional(),
  strictAllowlist: z.boolean().optional(),
  allowManagedDomainsOnly: z.boolean().optional(),
  allowUnixSockets: z.array(z.string()).optional(),
  allowAllUnixSockets: z.boolean().optional(),
  allowLocalBinding: z.boolean().optional(),
  allowMachLookup: z.array(z.string()).optional(),
  httpProxyPort: z.number().optional(),
  socksProxyPort: z.number().optional(),
  tlsTerminate: z.looseObject({ caCertPath: z.string().optional(), caKeyPath: z.string().optional() }).optional(),
});

/** Schema of {@link SandboxFilesystemSettings}. */
export const sandboxFilesystemSettingsSchema: z.ZodType<SandboxFilesystemSettings> = loose({
  allowWrite: z.array(z.string()).optional(),
  denyWrite: z.array(z.string()).optional(),
  allowRead: z.array(z.string()).optional(),
  denyRead: z.array(z.string()).optional(),
  allowManagedReadPathsOnly: z.boolean().optional(),
  disabled: z.boolean().optional(),
});

/** Fields of {@link SandboxCredentialRule}. */
const sandboxCredentialRule: Shape<SandboxCredentialRule> = shape({
  mode: z.enum(["deny", "mask"]),
  extract: z.string().optional(),
  onExtractNoMatch: z.enum(["deny", "error", "warn"]).optional(),
  decode: z.literal("jwt").optional(),
  maskClaims: z.array(z.string()).optional(),
  injectHosts: z.array(z.string()).optional(),
});

/** Schema of {@link SandboxCredentialFile}. */
export const sandboxCredentialFileSchema: z.ZodType<SandboxCredentialFile> = loose({
  ...sandboxCredentialRule,
  path: z.string(),
  maskDuplicates: z.boolean().optional(),
});

/** Schema of {@link SandboxCredentialVariable}. */
export const sandboxCredentialVariableSchema: z.ZodType<SandboxCredentialVariable> = loose({
  ...sandboxCredentialRule,
  name: z.string(),
});

/** Schema of {@link SandboxCredentialSettings}. */
export const sandboxCredentialSettingsSchema: z.ZodType<SandboxCredentialSettings> = loose({
  files: z.array(sandboxCredentialFileSchema).optional(),
  envVars: z.array(sandboxCredentialVariableSchema).optional(),
  allowPlaintextInject: z.boolean().optional(),
  awsPairs: z
    .array(
      z.looseObject({
        accessKeyIdVar: z.string(),
        secretAccessKeyVar: z.string(),
        sessionTokenVar: z.string().optional(),
      }),
    )
    .optional(),
  sigv4: z
    .looseObject({
      streaming: z.enum(["deny", "passthrough"]).optional(),
      presigned: z.enum(["deny", "passthrough"]).optional(),
      sigv4a: z.enum(["deny", "passthrough"]).optional(),
    })
    .optional(),
});

/** Schema of {@link SandboxSettings}. */
export const sandboxSettingsSchema: z.ZodType<SandboxSettings> = loose({
  enabled: z.boolean().optional(),
  failIfUnavailable: z.boolean().optional(),
  autoAllowBashIfSandboxed: z.boolean().optional(),
  allowUnsandboxedCommands: z.boolean().optional(),
  excludedCommands: z.array(z.string()).optional(),
  network: sandboxNetworkSettingsSchema.optional(),
  filesystem: sandboxFilesystemSettingsSchema.optional(),
  credentials: sandboxCredentialSettingsSchema.optional(),
  ignoreViolations: z.record(z.string(), z.array(z.string())).optional(),
  enableWeakerNestedSandbox: z.boolean().optional(),
  enableWeakerNetworkIsolation: z.boolean().optional(),
  allowNestedUserNamespaces: z.boolean().optional(),
  allowAppleEvents: z.boolean().optional(),
  ripgrep: z.looseObject({ command: z.string(), args: z.array(z.string()).optional() }).optional(),
  bwrapPath: z.string().optional(),
  socatPath: z.string().optional(),
});
