/** How commands are kept in a sandbox. On Linux it needs bubblewrap and socat. */
export interface SandboxSettings {
  /** Default false. */
  readonly enabled?: boolean | undefined;
  /** True refuses to run where there can be no sandbox; otherwise commands then run without one. */
  readonly failIfUnavailable?: boolean | undefined;
  /** True allows commands that run in the sandbox without asking. */
  readonly autoAllowBashIfSandboxed?: boolean | undefined;
  /** True lets the model ask for a command outside the sandbox: a permission question with `dangerouslyDisableSandbox`. */
  readonly allowUnsandboxedCommands?: boolean | undefined;
  /** Commands that run outside. */
  readonly excludedCommands?: readonly string[] | undefined;
  readonly network?: SandboxNetworkSettings | undefined;
  readonly filesystem?: SandboxFilesystemSettings | undefined;
  readonly credentials?: SandboxCredentialSettings | undefined;
  /** Paths of violations to pass over, by command. */
  readonly ignoreViolations?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly enableWeakerNestedSandbox?: boolean | undefined;
  readonly enableWeakerNetworkIsolation?: boolean | undefined;
  readonly allowNestedUserNamespaces?: boolean | undefined;
  readonly allowAppleEvents?: boolean | undefined;
  readonly ripgrep?: { readonly command: string; readonly args?: readonly string[] | undefined } | undefined;
  readonly bwrapPath?: string | undefined;
  readonly socatPath?: string | undefined;
}

/** What commands in the sandbox may reach. WebFetch is not one of them. */
export interface SandboxNetworkSettings {
  readonly allowedDomains?: readonly string[] | undefined;
  readonly deniedDomains?: readonly string[] | undefined;
  readonly strictAllowlist?: boolean | undefined;
  readonly allowManagedDomainsOnly?: boolean | undefined;
  /** Paths. The socket of Docker hands over the whole machine. */
  readonly allowUnixSockets?: readonly string[] | undefined;
  readonly allowAllUnixSockets?: boolean | undefined;
  readonly allowLocalBinding?: boolean | undefined;
  readonly allowMachLookup?: readonly string[] | undefined;
  readonly httpProxyPort?: number | undefined;
  readonly socksProxyPort?: number | undefined;
  readonly tlsTerminate?:
    | { readonly caCertPath?: string | undefined; readonly caKeyPath?: string | undefined }
    | undefined;
}

/** What commands in the sandbox may read and write. */
export interface SandboxFilesystemSettings {
  readonly allowWrite?: readonly string[] | undefined;
  readonly denyWrite?: readonly string[] | undefined;
  readonly allowRead?: readonly string[] | undefined;
  readonly denyRead?: readonly string[] | undefined;
  readonly allowManagedReadPathsOnly?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

/** Which secrets commands in the sandbox do not get to see. */
export interface SandboxCredentialSettings {
  readonly files?: readonly SandboxCredentialFile[] | undefined;
  readonly envVars?: readonly SandboxCredentialVariable[] | undefined;
  readonly allowPlaintextInject?: boolean | undefined;
  readonly awsPairs?:
    | readonly {
        readonly accessKeyIdVar: string;
        readonly secretAccessKeyVar: string;
        readonly sessionTokenVar?: string | undefined;
      }[]
    | undefined;
  readonly sigv4?:
    | {
        readonly streaming?: "deny" | "passthrough" | undefined;
        readonly presigned?: "deny" | "passthrough" | undefined;
        readonly sigv4a?: "deny" | "passthrough" | undefined;
      }
    | undefined;
}

/** A file with a secret. */
export interface SandboxCredentialFile extends SandboxCredentialRule {
  readonly path: string;
  readonly maskDuplicates?: boolean | undefined;
}

/** A variable with a secret. */
export interface SandboxCredentialVariable extends SandboxCredentialRule {
  readonly name: string;
}

/** What is done with a secret: it is not there, or another value is in its place. */
export interface SandboxCredentialRule {
  readonly mode: "deny" | "mask";
  /** Regular expression that finds the secret. */
  readonly extract?: string | undefined;
  readonly onExtractNoMatch?: "deny" | "error" | "warn" | undefined;
  readonly decode?: "jwt" | undefined;
  readonly maskClaims?: readonly string[] | undefined;
  /** Hosts that get the secret all the same. */
  readonly injectHosts?: readonly string[] | undefined;
}
