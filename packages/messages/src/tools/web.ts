/** Fetches a page and asks a model about it. */
export interface WebFetchInput {
  readonly url: string;
  readonly prompt: string;
  readonly offset?: number;
}

/** What the model said about the page. */
export interface WebFetchOutput {
  readonly url: string;
  /** Size of the page. */
  readonly bytes: number;
  /** HTTP status. */
  readonly code: number;
  readonly codeText: string;
  readonly result: string;
  readonly durationMs: number;
  readonly artifactRead?: { readonly slug: string; readonly ver?: string; readonly seeded?: false };
}

/** Searches the web. */
export interface WebSearchInput {
  readonly query: string;
  readonly allowed_domains?: string[];
  readonly blocked_domains?: string[];
}

/** What was found: lists of hits, and words about them. */
export interface WebSearchOutput {
  readonly query: string;
  readonly results: (WebSearchHits | string)[];
  readonly durationSeconds: number;
  readonly searchCount?: number;
}

/** The hits of one search. */
export interface WebSearchHits {
  readonly tool_use_id: string;
  readonly content: { readonly title: string; readonly url: string; readonly snippet?: string }[];
}
