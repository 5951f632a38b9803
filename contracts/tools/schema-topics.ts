/** A file of JSON Schemas. */
export interface SchemaTopic {
  readonly file: string;
  readonly description: string;
  /** Definitions that the file itself stands for: an instance has to be one of them. None: the file is a collection. */
  readonly root?: readonly string[];
  /** Further definitions that belong here. What roots and these refer to comes along, unless an earlier topic has it. */
  readonly holds?: readonly string[];
}

/** The files, in the order in which they take what they need. */
export const schemaTopics: readonly SchemaTopic[] = [
  {
    file: "content.schema.json",
    description:
      "Content blocks, API messages, stream events and usage: what the Messages API defines and the CLI passes on.",
    holds: ["ContentBlock", "ApiMessage", "UserContent", "StreamEvent", "UnparsedToolInput", "TurnUsage", "ModelUsage"],
  },
  {
    file: "mcp.schema.json",
    description: "MCP servers: configuration, state, and the JSON-RPC messages that the control channel carries.",
    holds: ["McpServerConfig", "McpServerStatus", "McpSetServersResult", "McpResourceLink", "JsonRpcMessage"],
  },
  {
    file: "permissions.schema.json",
    description: "Permission modes, rules, changes of rules, and the answer to a permission question.",
    holds: ["PermissionResult", "PermissionMode", "DecisionReasonType", "McpServerProvenance"],
  },
  {
    file: "settings.schema.json",
    description: "What a host sets up a session with: agents, plugins, sandbox, thinking.",
    holds: ["AgentDefinition", "PluginConfig", "SandboxSettings", "SettingSource", "ThinkingConfig"],
  },
  {
    file: "sessions.schema.json",
    description: "Transcripts and lists of sessions.",
    holds: ["SessionKey", "SessionInfo", "SessionMessage", "TranscriptEntry"],
  },
  {
    file: "messages.schema.json",
    description: "A line that the CLI writes for the user of a session: any message, of a known or an unknown kind.",
    root: ["Message"],
    holds: ["KnownMessage", "UnknownMessage", "EngineMessage", "UiSystemMessage"],
  },
  {
    file: "tool-inputs.schema.json",
    description:
      "Inputs of the built-in tools: an object with the tool's name as its only key. Use the schema under that property.",
    root: ["ToolInputs"],
  },
  {
    file: "tool-outputs.schema.json",
    description: "Outputs of the built-in tools, as `tool_use_result` has them; by the tool's name, like the inputs.",
    root: ["ToolOutputs"],
    holds: ["McpToolOutput"],
  },
  {
    file: "hook-inputs.schema.json",
    description: "What a hook is told, of any event.",
    root: ["HookInput"],
    holds: ["HookEvent"],
  },
  {
    file: "hook-outputs.schema.json",
    description: "What a hook may answer: by event, like the inputs of tools by name.",
    root: ["HookOutputs"],
    holds: ["HookOutput"],
  },
  {
    file: "control-requests.schema.json",
    description: "What a control request carries: from the CLI (InboundRequest) or from the host (OutboundRequest).",
    root: ["InboundRequest", "OutboundRequest"],
  },
  {
    file: "control-responses.schema.json",
    description:
      "What a control response of success carries, by the subtype of its request: to the CLI (InboundResponses) or to the host " +
      "(OutboundResponses).",
    holds: ["InboundResponses", "OutboundResponses"],
  },
  {
    file: "control-frames.schema.json",
    description:
      "A line that the CLI writes for the host's machinery: control envelopes, signs of life, mirrored transcripts.",
    root: ["ControlFrame"],
    holds: ["ControlEnvelope", "InboundControlRequest", "OutboundControlRequest"],
  },
  {
    file: "host-frames.schema.json",
    description:
      "A line that a host writes. `bash_command` runs without a permission question: a gateway must not pass it on.",
    root: [
      "UserFrame",
      "OutboundControlRequest",
      "ControlResponse",
      "ControlCancelRequest",
      "KeepAliveFrame",
      "UpdateEnvironmentVariablesFrame",
      "BashCommandFrame",
    ],
  },
];
