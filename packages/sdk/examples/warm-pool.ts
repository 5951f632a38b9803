import { createWarmPool } from "@reins/sdk";

await using pool = createWarmPool({ size: 2, options: { model: "haiku" } });
const warm = await pool.take();
for await (const message of warm.query("Say hello.")) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
