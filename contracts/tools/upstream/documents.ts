import { join } from "node:path";
import { type Decisions, inForce, type Resolves, readDecisions } from "./decisions.ts";
import type { NamedDocument } from "./page-summary.ts";

/** A document whose names are mapped to ours, and the data file below `contracts/parity/` that does it. */
export interface DocumentSource {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

/** The documents of the second half of PARITY.md. */
export const documentSources: readonly DocumentSource[] = [
  {
    file: "undeclared.json",
    title: "Undeclared methods of the official query",
    about: "The object has them, its declarations do not: found by running it. Published programs look for some.",
  },
  {
    file: "go-sdk.json",
    title: "agent-sdk-go 0.4.1",
    about: "A Go port of the official SDKs: every public name and option of its reference.",
  },
  {
    file: "claude-go.json",
    title: "claude-go",
    about: "A Go library with a command and a stdio bridge: every public name of its reference.",
  },
  {
    file: "streaming-events-hooks.json",
    title: "Streaming events and hooks",
    about: "A document of callbacks, runtime events and lifecycle hooks of a session object.",
  },
  {
    file: "python-sdk.json",
    title: "The official Python SDK",
    about: "Every public name of its reference.",
  },
];

/** Reads the documents, with plans that were carried out as our names. */
export function readDocuments(folder: string, resolves: Resolves): NamedDocument[] {
  return documentSources.map(({ file, title, about }) => {
    return { title, about, names: carriedOut(readDecisions(join(folder, file)), resolves) };
  });
}

function carriedOut(decisions: Decisions, resolves: Resolves): Decisions {
  return Object.fromEntries(
    Object.entries(decisions).map(([section, entries]) => [
      section,
      Object.fromEntries(Object.entries(entries).map(([name, decision]) => [name, inForce(decision, name, resolves)])),
    ]),
  );
}
