import { type Entry, idOf } from "./config.ts";

/** What a random transcript may contain besides a tree of prompts and answers. */
export type Feature = "cycles" | "repeats" | "sidechains" | "calls" | "compactions" | "queue" | "commands" | "denials";

/** Makes the same transcript for the same seed: a tree with everything that decides what belongs to its conversation. */
export function randomTranscript(seed: number, features: readonly Feature[]): Entry[] {
  const random = randomSource(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const has = (feature: Feature) => features.includes(feature);
  const lines: Entry[] = [];
  const ids: string[] = [];
  let last: string | null = null;

  for (let index = 0, count = 2 + below(24); index < count; index++) {
    const uuid = has("repeats") && ids.length > 0 && below(25) === 0 ? pick(ids) : `u${index}`;
    let parentUuid: string | null = below(6) === 0 ? pick([null, ...ids, "unknown"]) : last;
    if (has("cycles") && below(12) === 0) parentUuid = `u${below(count)}`;
    const second = String(below(4) === 0 ? below(60) : index).padStart(2, "0");
    const base: Entry = {
      parentUuid,
      uuid,
      timestamp: `2026-01-01T00:00:${second}.000Z`,
      sessionId: idOf(1),
      isSidechain: has("sidechains") && below(8) === 0,
      ...(has("sidechains") && below(14) === 0 ? { teamName: "team" } : {}),
      ...(has("sidechains") && below(8) === 0 ? { isMeta: true } : {}),
      ...(has("denials") && below(4) === 0
        ? { toolDenialKind: pick(["user-rejected", "other"]), toolDenialUnanswered: pick(["stream-closed", "other"]) }
        : {}),
    };
    lines.push({ ...base, ...content(index) });
    ids.push(uuid);
    if (lines.at(-1)?.["type"] !== "progress" || below(2) === 0) last = uuid;
  }
  return lines;

  function content(index: number): Entry {
    const user = (text: unknown, more: Entry = {}) => ({
      type: "user",
      message: { role: "user", content: text },
      ...more,
    });
    const answer = (id: unknown, block: Entry) => ({
      type: "assistant",
      message: { role: "assistant", id, content: [block] },
    });
    const kind = below(12);
    if (kind < 3) return user(`prompt ${index}`);
    if (kind < 6)
      return answer(has("calls") ? pick(["m1", "m2", undefined]) : undefined, { type: "text", text: `${index}` });
    if (kind === 6) {
      const attachment = { type: pick(["x", "fork_briefing"]) };
      return { type: pick(["system", "progress", "attachment"]), subtype: "x", content: "c", attachment };
    }
    if (kind === 7 && has("calls")) {
      return answer(pick(["m1", "m2"]), { type: "tool_use", id: pick(["t1", "t2", "t3"]), name: "T", input: {} });
    }
    if (kind === 8 && has("calls")) {
      const result = { type: "tool_result", tool_use_id: pick(["t1", "t2", "t3"]), content: `result ${index}` };
      return user([result], { sourceToolAssistantUUID: pick([undefined, ...ids]) });
    }
    if (kind === 9 && has("compactions")) return compaction(index);
    if (kind === 10 && has("queue")) return queued(index);
    if (kind === 11 && has("commands")) {
      const texts = [
        "<local-command-caveat>",
        "<command-name>/x</command-name>",
        "<local-command-stdout>",
        "<local-command-stderr>",
      ];
      return user(pick(texts), {
        ...(below(2) === 0 ? { isMeta: true } : {}),
        ...(below(6) === 0 ? { promptSource: "sdk" } : {}),
      });
    }
    return user(`other ${index}`, {
      ...(below(5) === 0 ? { isCompactSummary: true } : {}),
      ...(below(6) === 0 ? { isVisibleInTranscriptOnly: true } : {}),
      ...(below(9) === 0 ? { interruptedByShutdown: true } : {}),
      origin: pick([undefined, { kind: "peer" }, { kind: "human" }, { kind: "channel" }]),
    });
  }

  function compaction(index: number): Entry {
    const some = ids.filter(() => below(3) === 0);
    const anchorUuid = pick([`u${index + 1}`, ...ids]);
    const uuids = below(8) === 0 ? [...some, "unknown"] : some;
    return {
      parentUuid: below(4) === 0 ? last : null,
      logicalParentUuid: last,
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: {
        trigger: "manual",
        ...(below(2) === 0 ? { preservedMessages: { anchorUuid, uuids, allUuids: uuids } } : {}),
        ...(below(2) === 0 && ids.length > 0
          ? {
              preservedSegment: {
                headUuid: pick(ids),
                anchorUuid: pick([`u${index + 1}`, ...ids]),
                tailUuid: pick(ids),
              },
            }
          : {}),
      },
    };
  }

  function queued(index: number): Entry {
    const attachment = {
      type: "queued_command",
      prompt: pick([`queued ${index}`, [{ type: "text", text: `queued ${index}` }]]),
      source_uuid: pick([undefined, `s${index}`]),
      delivery_id: pick([undefined, `d${index}`]),
      commandMode: pick(["prompt", "bash", undefined, "task-notification"]),
    };
    if (below(2) === 0) {
      const { source_uuid: commandUuid, delivery_id: deliveryId } = attachment;
      lines.push({
        type: "queue-operation",
        operation: "remove",
        reason: "absorbed_mid_turn",
        commandUuid,
        deliveryId,
      });
    }
    return { type: "attachment", attachment };
  }
}

/** A linear congruential generator: small, and the same everywhere. */
function randomSource(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
