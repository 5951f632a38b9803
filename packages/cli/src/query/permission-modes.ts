/** What `--permission-mode` takes. In a file of its own, because the declaration of a command loads no sdk. */
export const permissionModes: readonly ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
];
