/** What the real CLI cannot be made to do offline, and why: hook events, requests of a host, requests of the CLI. */
export const unreachable: Readonly<Record<string, string>> = {
  Setup: "the CLI runs it before it hears of the host's hooks: for command hooks in settings files only",
  TeammateIdle: "teams of agents need an account",
  add_directory: makers(),
  channel_enable: makers(),
  fork_conversation: makers(),
  mcp_authenticate: "an OAuth flow needs a server on the network and a person in front of a browser",
  mcp_clear_auth: "there is nothing to clear without a login at an MCP server",
  mcp_oauth_callback_url: "the second half of mcp_authenticate",
  message_rated: "goes to the makers of the CLI",
  prompt_draft_activity: makers(),
  reload_connectors: "connectors need an account",
  remote_control: "needs an account and the network",
  rewind_conversation: makers(),
  set_message_waiting: makers(),
  set_proactivity_level: makers(),
  stage_file: makers(),
  submit_feedback: "goes to the makers of the CLI",
  request_user_dialog: "no known way to a dialog: a refusal of the model gave none",
  oauth_token_refresh: "needs a login",
  host_auth_token_refresh: "needs a provider whose credentials the host owns",
  remote_control_work_secret: "needs remote control, so an account and the network",
  ...Object.fromEntries(
    ["copy", "prompt_fill", "prompt_paint", "prompt_read", "prompt_suggest"].map((name) => [`ui_${name}`, plugins()]),
  ),
  ui_read_selection: plugins(),
  ...Object.fromEntries(
    ["plumbing_call", "tool_call", "tools_probe", "tools_reannounce"].map((name) => [`remote_${name}`, remote()]),
  ),
};

function makers(): string {
  return "known by its name only: for hosts of the CLI's makers";
}

function plugins(): string {
  return "for plugins that draw in the window of a host";
}

function remote(): string {
  return "for another client of a session that is shared over the network";
}
