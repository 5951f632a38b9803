/**
 * A string that the CLI writes: the known values complete in an editor, and a value of a later CLI still compiles and runs.
 *
 * Only what the CLI writes is open. What a host writes is closed where the CLI refuses other values, so that a typo does not compile.
 */
export type OpenString<Known extends string> = Known | (string & {});

/**
 * Stands for every `type` or `subtype` that this package has no type for.
 *
 * No frame really has such a value: it is a string that no known value is comparable to. So `message.type === "result"` narrows to
 * results and nothing else, while the default branch of a `switch` is what it is at run time: the unknown ones.
 */
export type UnknownValue = `?${string}`;
