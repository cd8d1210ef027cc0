/** The text that a client shows its model. */

/** What the server is for, and how its tools are used. */
export const INSTRUCTIONS =
  'Call codex to give a task to a coding agent that works in a folder of this machine; it asks before it runs what the approval policy does not allow. Continue the same thread with codex-reply and the threadId of the result.';
