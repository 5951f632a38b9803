import type { Scenario } from "../scenario.ts";
import { api } from "./api.ts";
import { commands } from "./commands.ts";
import { control } from "./control.ts";
import { hookEvents } from "./hook-events.ts";
import { hookOutcomes } from "./hook-outcomes.ts";
import { interrupts } from "./interrupts.ts";
import { lifecycle } from "./lifecycle.ts";
import { mcp } from "./mcp.ts";
import { permissions } from "./permissions.ts";
import { sessions } from "./sessions.ts";
import { streaming } from "./streaming.ts";
import { tasks } from "./tasks.ts";

/** Every scenario, by family. */
export const scenarios: readonly Scenario[] = [
  ...sessions,
  ...commands,
  ...lifecycle,
  ...control,
  ...permissions,
  ...interrupts,
  ...hookEvents,
  ...hookOutcomes,
  ...mcp,
  ...tasks,
  ...streaming,
  ...api,
];
