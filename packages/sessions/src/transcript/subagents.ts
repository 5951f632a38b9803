import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SessionMessage } from "@reins/messages";
import type { SessionStore } from "../store/session-store.ts";
import { type ChainEntry, isMessageEntry } from "./chain-entry.ts";
import { EntryGraph } from "./entry-graph.ts";
import { isMissing, SessionStoreMethodError, TranscriptAccessError, type TranscriptProblem } from "./errors.ts";
import type { LooseEntry } from "./fields.ts";
import { findTranscript, problemHandler } from "./find-transcript.ts";
import { type MessagePage, pageOf, readConversationFile } from "./get-session-messages.ts";
import type { SessionLocation } from "./location.ts";
import { type Conversation, ConversationBuilder } from "./read-entries.ts";
import { isSessionId } from "./session-id.ts";
import { toMessage } from "./session-messages.ts";
import { readAgentFile, sessionFolder } from "./side-files.ts";
import { storedKey } from "./stored-info.ts";

/** Options of {@link getSubagentMessages}. */
export interface GetSubagentMessagesOptions extends SessionLocation, MessagePage {}

/**
 * Lists the ids of the subagents that a session started, in the order of their paths, each once.
 *
 * @returns None where there is no such session; its own transcript has to be there.
 * @throws {@link SessionStoreMethodError} when the store cannot list subkeys.
 */
export async function listSubagents(sessionId: string, options: SessionLocation = {}): Promise<string[]> {
  if (!isSessionId(sessionId)) return [];
  const { sessionStore: store } = options;
  if (store !== undefined) {
    if (store.listSubkeys === undefined) {
      throw new SessionStoreMethodError(
        "sessionStore.listSubkeys is not implemented -- cannot list subagents. Provide a store with a listSubkeys() method.",
        "listSubkeys",
      );
    }
    const subpaths = await storedAgents(store, sessionId, options.dir);
    return [...new Set(subpaths.map((subpath) => agentIdOf(subpath.split("/").at(-1)!)))];
  }
  const files = await agentFiles(sessionId, options);
  return [...new Set(files.map(({ agentId }) => agentId))];
}

/**
 * Reads the conversation of a subagent, the meta entries included.
 *
 * `parent_tool_use_id` is the call that started it, `parent_agent_id` the subagent that made the call; both null where the file beside its
 * transcript does not say.
 *
 * @returns No messages where there is no such session or subagent.
 */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options: GetSubagentMessagesOptions = {},
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId) || agentId === "") return [];
  const { sessionStore: store } = options;
  if (store !== undefined) return pageOf(await storedMessages(store, sessionId, agentId, options.dir), options);
  const file = (await agentFiles(sessionId, options)).find((each) => each.agentId === agentId);
  if (file === undefined) return [];
  const report = problemHandler(options);
  const conversation = await readConversationFile(file.path, report);
  return pageOf(agentMessages(conversation, await readAgentFile(file.path, report)), options);
}

interface AgentFile {
  readonly agentId: string;
  readonly path: string;
}

async function agentFiles(sessionId: string, options: SessionLocation): Promise<AgentFile[]> {
  const found = await findTranscript(sessionId, options);
  if (found === undefined) return [];
  return await filesBelow(join(sessionFolder(found.project, sessionId), "subagents"), problemHandler(options));
}

/** Workflows keep their agents in folders of their own, at any depth. */
async function filesBelow(folder: string, report: (problem: TranscriptProblem) => void): Promise<AgentFile[]> {
  const files: AgentFile[] = [];
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(await filesBelow(path, report)));
      else if (entry.isFile() && /^agent-.+\.jsonl$/s.test(entry.name)) {
        files.push({ agentId: agentIdOf(entry.name.slice(0, -6)), path });
      }
    }
  } catch (error) {
    if (!isMissing(error)) report(new TranscriptAccessError("read", folder, error));
  }
  return files;
}

function agentIdOf(name: string): string {
  return name.slice("agent-".length);
}

async function storedAgents(store: SessionStore, sessionId: string, dir: string | undefined): Promise<string[]> {
  const { projectKey } = storedKey(sessionId, dir);
  const subpaths = (await store.listSubkeys?.({ projectKey, sessionId })) ?? [];
  return subpaths.filter((subpath) => /^subagents\/(?:.*\/)?agent-[^/]+$/s.test(subpath));
}

async function storedMessages(
  store: SessionStore,
  sessionId: string,
  agentId: string,
  dir: string | undefined,
): Promise<SessionMessage[]> {
  const name = `agent-${agentId}`;
  const known = (await storedAgents(store, sessionId, dir)).find((subpath) => subpath.split("/").at(-1) === name);
  if (known === undefined && store.listSubkeys !== undefined) return [];
  const entries = await store.load({ ...storedKey(sessionId, dir), subpath: known ?? `subagents/${name}` });
  const conversation = new ConversationBuilder();
  for (const entry of entries ?? []) conversation.add({ ...entry });
  // In a store the side file is an entry, written again whenever it changed.
  const metadata = entries?.findLast((entry) => entry.type === "agent_metadata");
  return agentMessages(conversation, metadata);
}

function agentMessages({ entries }: Conversation, metadata: LooseEntry | undefined): SessionMessage[] {
  const graph = new EntryGraph(entries.filter((entry) => isMessageEntry(entry) || entry.type === "attachment"));
  const leaf = [...graph.entries.values()].findLast(isMessageEntry);
  if (leaf === undefined) return [];
  const parents = {
    toolUseId: matching(metadata?.["toolUseId"], /^[A-Za-z0-9_.:-]{1,128}$/),
    agentId: matching(metadata?.["parentAgentId"], /^[\w-]{1,128}$/),
  };
  const chain: ChainEntry[] = [...graph.upFrom(leaf)].reverse();
  return chain.filter(isMessageEntry).map((entry) => toMessage(entry, false, parents));
}

/** Ids go into messages of the wire, so nothing else may pass for one. */
function matching(value: unknown, pattern: RegExp): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null;
}
