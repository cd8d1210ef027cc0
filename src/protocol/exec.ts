/** Owns what an executor is asked for and what it tells about a process; knows no operating system. */

/** A program to start: argv is run as it stands, without a shell. `cwd` is absolute; `env` is the whole environment. */
export type ProcessSpec = { argv: readonly string[]; cwd: string; env: Record<string, string> };

export type OutputStream = 'stdout' | 'stderr';

/**
 * The life of one process. `seq` counts from 1 without gaps over all kinds.
 * `exited` is not the end of output; `closed` is, and comes last. `failed` comes instead of all others
 * when the program could not be started; `reason` is the operating system's text.
 * Source: codex exec-server 0.142.0, process/output, process/exited, process/closed.
 */
export type ProcessEvent =
  | { kind: 'output'; seq: number; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; seq: number; exitCode: number }
  | { kind: 'closed'; seq: number }
  | { kind: 'failed'; seq: number; reason: string };
