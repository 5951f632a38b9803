import type { CallContext, LogLevel, ToolContext, ToolLog, ToolProgress, ToolReport } from "./call-context.ts";
import { textOfThrown } from "./handler-result.ts";
import { isRecord, jsonCopy } from "./json.ts";
import { isJsonRpcId } from "./json-rpc.ts";
import type { RunningRequest } from "./running-requests.ts";
import type { SessionInfo } from "./tool-connection.ts";

/** What the contexts of a session have in common. */
export interface ContextSource {
  readonly server: string;
  readonly info: SessionInfo;
  readonly onProgress: ((progress: ToolProgress) => void) | undefined;
  readonly onLog: ((log: ToolLog) => void) | undefined;
  /** Tells the client. */
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Whether the client wants to be told of this level. */
  readonly takesLevel: (level: LogLevel) => boolean;
}

type Params = Readonly<Record<string, unknown>>;

/** The context of a request for a resource or a prompt. */
export function createCallContext(source: ContextSource, request: RunningRequest, params: Params): CallContext {
  return {
    get signal() {
      return request.signal;
    },
    sessionId: source.info.sessionId,
    requestId: request.id,
    server: source.server,
    meta: metaOf(params),
  };
}

/** The context of a call. */
export function createToolContext(
  source: ContextSource,
  request: RunningRequest,
  params: Params,
  tool: string,
): ToolContext {
  const { server, info, onProgress, onLog, notify, takesLevel } = source;
  const meta = metaOf(params);
  const { "claudecode/toolUseId": sentId, progressToken } = meta as Record<string, unknown>;
  const { sessionId } = info;
  const toolUseId = typeof sentId === "string" ? sentId : undefined;
  const about = (): ToolReport => ({ server, tool, toolUseId, sessionId });
  return {
    get signal() {
      return request.signal;
    },
    sessionId,
    requestId: request.id,
    server,
    meta,
    tool,
    toolUseId,
    progress: (done, total, message) => {
      if (!Number.isFinite(done) || (total !== undefined && !Number.isFinite(total)))
        throw new TypeError("Progress is told in finite numbers.");
      if (!request.isOpen) return;
      const rest = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      report(onProgress, { ...about(), done, ...rest });
      if (isJsonRpcId(progressToken)) notify("notifications/progress", { progressToken, progress: done, ...rest });
    },
    log: (given, level = "info") => {
      if (!request.isOpen) return;
      // A copy, which nothing that the handler does later changes.
      const data = jsonCopy(given) ?? textOfThrown(given);
      report(onLog, { ...about(), level, data });
      if (takesLevel(level)) notify("notifications/message", { level, logger: tool, data });
    },
  };
}

/** Tells somebody who asked to be told, whose failure must not become that of a call. */
export function report<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    // It may be an async function, for all that its type says.
    const result: unknown = listener?.(event);
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // It is the listener's own, and there is nobody else to tell.
  }
}

function metaOf(params: Params): Readonly<Record<string, unknown>> {
  return isRecord(params["_meta"]) ? params["_meta"] : {};
}
