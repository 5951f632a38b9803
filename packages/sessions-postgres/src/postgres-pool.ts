/** What the store uses of a connection. A `PoolClient` of `pg` fits. */
export interface PostgresConnection {
  /** Runs one statement with parameters; or without parameters several, parted by semicolons, and then gives a list of results. */
  query(text: string, values?: unknown[]): Promise<unknown>;
  /** Gives the connection back; with an error it is closed instead. */
  release(error?: Error | boolean): void;
  /** Tells when the connection dies. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Takes a listener away. */
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** What the store uses of a pool. A `Pool` of `pg` 8.13 and newer fits. */
export interface PostgresPool {
  /** Takes a connection out of the pool, or makes one. */
  connect(): Promise<PostgresConnection>;
  /** Tells when a connection dies that nobody has taken out. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** How many listen. */
  listenerCount(event: "error"): number;
}
