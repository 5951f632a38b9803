/**
 * The release of the CLI that these packages are written for, and that their tests run. Others work as far as they speak the same: new
 * flags and frames are data here, and an option that an old one does not know is a LaunchError that says so.
 */
export const SUPPORTED_CLI_VERSION = "2.1.328";

/** The release of the official SDK that belongs to it. The CLI puts it into its user agent. */
export const matchedSdkVersion = "0.3.328";

/** The oldest CLI that knows what a plain session uses: the minimum of the official Python SDK 0.2.143. */
export const oldestCliVersion = "2.0.0";
