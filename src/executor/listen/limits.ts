/** The limits of what may wait on the way to and from a client of the exec-server. */

/** Processes wait while more than this waits for the client to read it. */
export const MAX_SOURCE_QUEUE_BYTES = 1_048_576;
/** Input waits only beyond this, so that a terminate gets through to a client that reads slowly. */
export const MAX_INPUT_QUEUE_BYTES = 67_108_864;
/** Longest message; a line is measured in UTF-16 units. Source: codex exec-server 0.142.0 and 0.169.0 have 64 MiB. */
export const MAX_MESSAGE_BYTES = 67_108_864;
