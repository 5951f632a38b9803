import { type CallSummary, readCapture, summarizeCapture } from "@reins/wiretap";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { table } from "../terminal/table.ts";

/** `reins tap show` */
export async function showCapture(
  context: Context,
  _options: object,
  [dir = "capture"]: readonly string[],
): Promise<number> {
  const summary = summarizeCapture(await readCapture(dir));
  if (context.json) {
    await context.writeJson(summary);
    return exitCodes.ok;
  }
  const numbers = ["BYTES", "SYSTEM", "TOOLS", "MESSAGES", "IN", "CACHED", "OUT", "MS"];
  const columns = [
    { title: "#", isNumber: true },
    { title: "MODEL" },
    ...numbers.map((title) => ({ title, isNumber: true })),
    { title: "" },
  ];
  const { calls, otherRequests, usage, cacheHitRate } = summary;
  if (calls.length + otherRequests.length === 0) {
    await context.note(
      `There is no request in ${printableLine(dir, 200)}. Name a folder that \`reins tap run\` has written.`,
    );
    return exitCodes.ok;
  }
  await context.out.write(table(columns, calls.map(row)));
  for (const call of calls) {
    const text = changesOf(call);
    if (text !== "") await context.out.write(context.style.dim(`${call.number}: ${text}\n`));
  }
  const hits = cacheHitRate === undefined ? "" : `, ${Math.round(cacheHitRate * 100)} % of the input from the cache`;
  const tokens = `${usage.inputTokens + usage.cacheReadTokens + usage.cacheCreationTokens} tokens in, ${usage.outputTokens} out${hits}`;
  await context.out.write(`${calls.length} calls, ${otherRequests.length} other requests, ${tokens}\n`);
  return exitCodes.ok;
}

function row(call: CallSummary): string[] {
  const { requestBytes, systemChars, toolNames, messageCount, usage, durationMs } = call;
  const input = usage && usage.inputTokens + usage.cacheReadTokens + usage.cacheCreationTokens;
  const numbers = [
    requestBytes,
    systemChars,
    toolNames.length,
    messageCount,
    input,
    usage?.cacheReadTokens,
    usage?.outputTokens,
  ];
  const end = call.end === "complete" && call.status === 200 ? "" : `${call.status ?? ""} ${call.end}`.trim();
  const remarks = [call.isSideCall ? "side call" : "", end].filter((text) => text !== "").join(", ");
  const duration = durationMs === undefined ? "" : String(Math.round(durationMs));
  return [
    String(call.number),
    printableLine(call.model, 40),
    ...numbers.map((value) => (value === undefined ? "" : String(value))),
    duration,
    printableLine(remarks, 60),
  ];
}

function changesOf({ changes }: CallSummary): string {
  if (changes === undefined) return "";
  const parts = [
    changes.isSystemChanged ? "the system prompt changed" : "",
    names("new tools", changes.toolsAdded),
    names("tools gone", changes.toolsRemoved),
    names("tools changed", changes.toolsChanged),
    changes.messagesDropped > 0 ? `${changes.messagesDropped} messages dropped` : "",
    names("other fields changed", changes.otherFields),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `since ${changes.since}: ${parts.join("; ")}`;
}

function names(what: string, list: readonly string[]): string {
  return list.length === 0 ? "" : `${what}: ${printableLine(list.join(", "), 200)}`;
}
