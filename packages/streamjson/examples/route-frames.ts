import { spawn } from "node:child_process";
import { decodeFrames, encodeFrame } from "@reins/streamjson";

const claude = spawn("claude", ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"], {
  stdio: ["pipe", "pipe", "inherit"],
});
claude.stdin.end(encodeFrame({ type: "user", message: { role: "user", content: "Say hello." } }));

const wanted = new Set(["assistant", "result"]);

// "deliver" parses nothing: frames are told apart by their type and handed on as the bytes that were read.
for await (const frame of decodeFrames(claude.stdout, { onMalformed: "deliver" })) {
  if (frame.type === undefined || !wanted.has(frame.type)) continue;
  process.stdout.write(frame.bytes);
  process.stdout.write("\n");
}
