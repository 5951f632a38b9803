import type {
  AgentInput,
  AgentOutput,
  ListAgentsInput,
  SendMessageInput,
  WorkflowInput,
  WorkflowOutput,
} from "./agent.ts";
import type {
  EditInput,
  EditOutput,
  NotebookEditInput,
  NotebookEditOutput,
  ReadInput,
  ReadOutput,
  WriteInput,
  WriteOutput,
} from "./files.ts";
import type {
  ArtifactInput,
  ClaudeDesignInput,
  ClaudeDesignOutput,
  OfferChromeSetupInput,
  OfferChromeSetupOutput,
  ProjectsInput,
  ProposeSkillsInput,
  ProposeSkillsOutput,
  PushNotificationInput,
  PushNotificationOutput,
  ReadNotificationsOutput,
  RemoteTriggerInput,
  RemoteTriggerOutput,
  SendFeedbackInput,
  SendFeedbackOutput,
  SetGoalInput,
  SetGoalOutput,
  ShowOnboardingRolePickerOutput,
} from "./first-party.ts";
import type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  ReadMcpResourceDirInput,
  ReadMcpResourceDirOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  RefreshMcpToolsInput,
  RefreshMcpToolsOutput,
} from "./mcp-tools.ts";
import type {
  CronCreateInput,
  CronCreateOutput,
  CronDeleteInput,
  CronDeleteOutput,
  CronListOutput,
  ScheduleWakeupInput,
  ScheduleWakeupOutput,
} from "./schedule.ts";
import type { GlobInput, GlobOutput, GrepInput, GrepOutput, ToolSearchInput, ToolSearchOutput } from "./search.ts";
import type { BashInput, BashOutput, MonitorInput, MonitorOutput, TaskStopInput, TaskStopOutput } from "./shell.ts";
import type {
  TaskCreateInput,
  TaskCreateOutput,
  TaskGetInput,
  TaskGetOutput,
  TaskListOutput,
  TaskUpdateInput,
  TaskUpdateOutput,
  TodoWriteInput,
  TodoWriteOutput,
} from "./task-list.ts";
import type {
  AskUserQuestionInput,
  AskUserQuestionOutput,
  EnterPlanModeOutput,
  ExitPlanModeInput,
  ExitPlanModeOutput,
} from "./user-questions.ts";
import type { WebFetchInput, WebFetchOutput, WebSearchInput, WebSearchOutput } from "./web.ts";
import type {
  EnterWorktreeInput,
  EnterWorktreeOutput,
  ExitWorktreeInput,
  ExitWorktreeOutput,
  ReportFindingsInput,
  ReportFindingsOutput,
  SkillInput,
} from "./workspace-tools.ts";

/** Fields of which nothing more is known. */
export type UntypedFields = Readonly<Record<string, unknown>>;

/**
 * What the model gives to a tool of the CLI, by the tool's name. The inputs of Agent to Write were compared with what CLI 2.1.328 offers
 * the model; those of claude.ai's own tools are declared only.
 */
export interface ToolInputs {
  readonly Agent: AgentInput;
  readonly Artifact: ArtifactInput;
  readonly AskUserQuestion: AskUserQuestionInput;
  readonly Bash: BashInput;
  readonly ClaudeDesign: ClaudeDesignInput;
  readonly CronCreate: CronCreateInput;
  readonly CronDelete: CronDeleteInput;
  readonly CronList: UntypedFields;
  readonly Edit: EditInput;
  readonly EnterPlanMode: UntypedFields;
  readonly EnterWorktree: EnterWorktreeInput;
  readonly ExitPlanMode: ExitPlanModeInput;
  readonly ExitWorktree: ExitWorktreeInput;
  readonly Glob: GlobInput;
  readonly Grep: GrepInput;
  readonly ListAgents: ListAgentsInput;
  readonly ListMcpResourcesTool: ListMcpResourcesInput;
  readonly Monitor: MonitorInput;
  readonly NotebookEdit: NotebookEditInput;
  readonly OfferChromeSetup: OfferChromeSetupInput;
  readonly Projects: ProjectsInput;
  readonly propose_skills: ProposeSkillsInput;
  readonly PushNotification: PushNotificationInput;
  readonly Read: ReadInput;
  readonly ReadMcpResourceDirTool: ReadMcpResourceDirInput;
  readonly ReadMcpResourceTool: ReadMcpResourceInput;
  readonly ReadNotifications: UntypedFields;
  readonly RefreshMcpTools: RefreshMcpToolsInput;
  readonly RemoteTrigger: RemoteTriggerInput;
  readonly ReportFindings: ReportFindingsInput;
  readonly ScheduleWakeup: ScheduleWakeupInput;
  readonly SendFeedback: SendFeedbackInput;
  readonly SendMessage: SendMessageInput;
  readonly SetGoal: SetGoalInput;
  readonly ShowOnboardingRolePicker: UntypedFields;
  readonly Skill: SkillInput;
  /** The value that `--json-schema` asks for. */
  readonly StructuredOutput: UntypedFields;
  readonly TaskCreate: TaskCreateInput;
  readonly TaskGet: TaskGetInput;
  readonly TaskList: UntypedFields;
  readonly TaskStop: TaskStopInput;
  readonly TaskUpdate: TaskUpdateInput;
  readonly TodoWrite: TodoWriteInput;
  readonly ToolSearch: ToolSearchInput;
  readonly WebFetch: WebFetchInput;
  readonly WebSearch: WebSearchInput;
  readonly Workflow: WorkflowInput;
  readonly Write: WriteInput;
}

/** What a tool of the CLI gives, by the tool's name: `tool_use_result` of the user message that brings the result. */
export interface ToolOutputs {
  readonly Agent: AgentOutput;
  readonly Artifact: UntypedFields;
  readonly AskUserQuestion: AskUserQuestionOutput;
  readonly Bash: BashOutput;
  readonly ClaudeDesign: ClaudeDesignOutput;
  readonly CronCreate: CronCreateOutput;
  readonly CronDelete: CronDeleteOutput;
  readonly CronList: CronListOutput;
  readonly Edit: EditOutput;
  readonly EnterPlanMode: EnterPlanModeOutput;
  readonly EnterWorktree: EnterWorktreeOutput;
  readonly ExitPlanMode: ExitPlanModeOutput;
  readonly ExitWorktree: ExitWorktreeOutput;
  readonly Glob: GlobOutput;
  readonly Grep: GrepOutput;
  readonly ListAgents: UntypedFields;
  readonly ListMcpResourcesTool: ListMcpResourcesOutput;
  readonly Monitor: MonitorOutput;
  readonly NotebookEdit: NotebookEditOutput;
  readonly OfferChromeSetup: OfferChromeSetupOutput;
  readonly Projects: UntypedFields;
  readonly propose_skills: ProposeSkillsOutput;
  readonly PushNotification: PushNotificationOutput;
  readonly Read: ReadOutput;
  readonly ReadMcpResourceDirTool: ReadMcpResourceDirOutput;
  readonly ReadMcpResourceTool: ReadMcpResourceOutput;
  readonly ReadNotifications: ReadNotificationsOutput;
  readonly RefreshMcpTools: RefreshMcpToolsOutput;
  readonly RemoteTrigger: RemoteTriggerOutput;
  readonly ReportFindings: ReportFindingsOutput;
  readonly ScheduleWakeup: ScheduleWakeupOutput;
  readonly SendFeedback: SendFeedbackOutput;
  readonly SendMessage: UntypedFields;
  readonly SetGoal: SetGoalOutput;
  readonly ShowOnboardingRolePicker: ShowOnboardingRolePickerOutput;
  readonly Skill: UntypedFields;
  readonly StructuredOutput: UntypedFields;
  readonly TaskCreate: TaskCreateOutput;
  readonly TaskGet: TaskGetOutput;
  readonly TaskList: TaskListOutput;
  readonly TaskStop: TaskStopOutput;
  readonly TaskUpdate: TaskUpdateOutput;
  readonly TodoWrite: TodoWriteOutput;
  readonly ToolSearch: ToolSearchOutput;
  readonly WebFetch: WebFetchOutput;
  readonly WebSearch: WebSearchOutput;
  readonly Workflow: WorkflowOutput;
  readonly Write: WriteOutput;
}

/** Name of a tool of the CLI whose input and output have types. */
export type ToolName = keyof ToolInputs;
