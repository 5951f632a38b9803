/** A response that says nothing more; an object that is empty in most cases. */
export type Acknowledged = Readonly<Record<string, unknown>>;
