/** The reason of a failure, for people. */

/** The message of an error; anything else that was thrown, converted to text. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
