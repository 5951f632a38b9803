import { collect } from "@reins/sdk";
import { listSessions } from "@reins/sessions";

const [latest] = await listSessions({ dir: process.cwd(), limit: 1 });
if (latest !== undefined) {
  const { text } = await collect({ prompt: "What did we do last?", options: { resume: latest.sessionId } });
  console.log(text);
}
