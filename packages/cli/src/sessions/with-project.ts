import type { SessionStore } from "@reins/sessions";

/** The store as if this were its only project, whatever project is asked for. */
export function withProject(store: SessionStore, projectKey: string): SessionStore {
  return {
    append: (key, entries) => store.append({ ...key, projectKey }, entries),
    load: (key) => store.load({ ...key, projectKey }),
    ...(store.listSessions && { listSessions: () => store.listSessions!(projectKey) }),
    ...(store.listSessionSummaries && { listSessionSummaries: () => store.listSessionSummaries!(projectKey) }),
    ...(store.delete && { delete: (key) => store.delete!({ ...key, projectKey }) }),
    ...(store.listSubkeys && { listSubkeys: (key) => store.listSubkeys!({ ...key, projectKey }) }),
  };
}
