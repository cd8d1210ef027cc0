/** Processes as an executor sees them, on any operating system: what is started, its events, its output. */
import type { ExecSandbox } from './sandboxParams';

/** How long a process may take to end: after its input was closed, then after SIGTERM. Then it is killed. */
export type Grace = { inputMs: number; termMs: number };

/**
 * A program to start: argv is run as it stands, without a shell. `cwd` is absolute; `env` is the whole environment.
 * `arg0` replaces argv[0] as the program sees it; without `stdin` its input is empty from the start;
 * with `tty` it has a terminal for all three streams; without `grace` it is killed at once when it has to end; `keepMs` is how long its
 * output stays readable after it closed. On Linux a variable is added to `env`, by which the program is found after it
 * has left its process group. With `holdOutput` its output is retained until it is acknowledged, and the process waits once
 * that is more than a process may have. `realCwd` is where `cwd` led, with links resolved, when the program was allowed to run: it does not
 * start if that is another folder by then. `processId` is the name that an exec-server's client gave it. `elsewhere` is for the exec-server
 * that runs it: what it inherits of that machine's environment, below `env`, and the sandbox it is put into there; a backend of this machine
 * refuses it.
 */
export type ProcessSpec = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  arg0?: string;
  stdin?: 'pipe';
  tty?: true;
  grace?: Grace;
  keepMs?: number;
  holdOutput?: true;
  realCwd?: string;
  processId?: string;
  elsewhere?: Elsewhere;
};

/** What an exec-server is asked to do with a process; without `sandbox` it runs as freely as the ceiling there lets it. */
export type Elsewhere = { envPolicy: EnvPolicy; sandbox?: ExecSandbox };

/** Source: codex exec-server 0.142.0, `envPolicy`; names are patterns. */
export type EnvPolicy = {
  inherit: 'all' | 'core' | 'none';
  ignoreDefaultExcludes: boolean;
  exclude: readonly string[];
  set: Readonly<Record<string, string>>;
  includeOnly: readonly string[];
};

/** `pty` is the only output of a process that has a terminal. */
export type OutputStream = 'stdout' | 'stderr' | 'pty';

/**
 * The life of one process. `seq` counts from 1 without gaps over all kinds.
 * `exited` is not the end of output; `closed` is, and comes last. `failed` comes instead of all others
 * when the program could not be started, and among them when its executor is lost; `reason` is a text for people.
 * `gap` stands for `missing` events up to `seq` that are no longer retained, with `missingBytes` of output where that is known.
 * Source: codex exec-server 0.142.0, process/output, process/exited, process/closed.
 */
export type ProcessEvent =
  | ({ kind: 'output' } & OutputChunk)
  | { kind: 'gap'; seq: number; missing: number; missingBytes?: number }
  | { kind: 'exited'; seq: number; exitCode: number }
  | { kind: 'closed'; seq: number }
  | { kind: 'failed'; seq: number; reason: string };

/** Bytes as the process wrote them, split anywhere. */
export type OutputChunk = { seq: number; stream: OutputStream; chunk: Uint8Array };

/** What to read: output after `afterSeq`, whole chunks up to `maxBytes` but at least one; waits up to `waitMs` for the next event. */
export type ReadRequest = { afterSeq: number; maxBytes?: number; waitMs: number };

/**
 * Retained output, oldest first. `nextSeq` is one past the newest event reported; `exitCode` is null until the exit,
 * `failure` says why the executor lost the process; `evicted` is set when output after `afterSeq` is no longer retained.
 * Source: codex exec-server 0.142.0, process/read, which does not report what was evicted.
 */
export type OutputPage = {
  chunks: OutputChunk[];
  nextSeq: number;
  exited: boolean;
  exitCode: number | null;
  closed: boolean;
  failure: string | null;
  evicted?: Evicted;
};

/** What is no longer retained: all output up to `throughSeq`, in total `bytes` from the beginning on. */
export type Evicted = { throughSeq: number; bytes: number };

/** The outcome of a write to a process: accepted, refused because the process is unknown or its input is closed, or too early. */
export const WRITE_STATUSES = ['accepted', 'unknownProcess', 'stdinClosed', 'starting'] as const;
/** The outcome of one write. */
export type WriteStatus = (typeof WRITE_STATUSES)[number];

/** Signals that can be sent to a process by name. */
export const PROCESS_SIGNALS = ['interrupt'] as const;
/** One of these signals. */
export type ProcessSignal = (typeof PROCESS_SIGNALS)[number];
