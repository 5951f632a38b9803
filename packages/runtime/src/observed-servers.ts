import type { InProcessServerConfig, Options } from "@reins/sdk";
import { type JsonRecord, recordOf } from "./json-value.ts";

type Servers = NonNullable<Options["mcpServers"]>;

/**
 * The same servers, with those in this process watched: what they are asked and what they say of their progress. The CLI passes
 * progress on to nobody.
 *
 * @param onMessage Told of each message as a request of the control channel.
 */
export function observedServers(
  servers: Servers,
  onMessage: (request: JsonRecord, direction: "in" | "out") => void,
): Servers {
  const entries = Object.entries(servers).map(([name, server]) => {
    if (!isInProcess(server)) return [name, server] as const;
    const tell = (message: unknown, direction: "in" | "out"): void =>
      onMessage({ subtype: "mcp_message", server_name: name, message }, direction);
    const observed: InProcessServerConfig = {
      type: "sdk",
      name: server.name,
      ...(server.settings && { settings: server.settings }),
      connect: (send, session) => {
        const connection = server.connect((message) => {
          tell(message, "out");
          send(message);
        }, session);
        return {
          handle: (message) => {
            tell(message, "in");
            return connection.handle(message);
          },
          close: () => connection.close(),
        };
      },
    };
    return [name, observed] as const;
  });
  return Object.fromEntries(entries);
}

function isInProcess(server: Servers[string]): server is InProcessServerConfig {
  return typeof recordOf(server)?.["connect"] === "function";
}
