import type { JSX } from "preact";
import type { Transcript } from "./transcript.ts";

/** Says so where another branch than the last one is shown. It is always there, so that a reader is told when it says something. */
export function OtherBranch({ transcript }: { readonly transcript: Transcript }): JSX.Element {
  const isLatest = transcript.view.value.isLatest;
  return (
    <div class="other-branch" role="status">
      {isLatest ? null : (
        <p>
          {transcript.grewElsewhere.value
            ? "The conversation went on in another branch."
            : "This is not the branch that was written last."}
          <button type="button" class="button" onClick={() => transcript.showLatest()}>
            Show the last one
          </button>
        </p>
      )}
    </div>
  );
}
