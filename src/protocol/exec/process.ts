/** Processes as an executor sees them, on any operating system: what is started, its events, its output. */
import type { ExecSandbox } from './sandboxParams';

/** How long a process may take to end: after its input was closed, then after SIGTERM. Then it is killed. */
export type Grace = { inputMs: number; termMs: number };

/** A program to start, without a shell. On Linux a variable is added to `env`, by which the program is found after it has left its process group. */
export type ProcessSpec = {
  /** Is run as it stands. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  /** Replaces argv[0] as the program sees it. */
  arg0?: string;
  /** Default: the input is empty from the start. */
  stdin?: 'pipe';
  /** The program has a terminal for all three streams. */
  tty?: true;
  /** Default: the program is killed at once when it has to end. */
  grace?: Grace;
  /** How long its output stays readable after it closed. */
  keepMs?: number;
  /** Its output is retained until it is acknowledged; the process waits once that is more than a process may have. */
  holdOutput?: true;
  /** The target of `cwd`, with links resolved, when the program was allowed to run: it does not start if that is another folder by then. */
  realCwd?: string;
  /** The name that an exec-server's client gave it. */
  processId?: string;
  /** For its exec-server: what it inherits of that machine's environment, below `env`, and its sandbox there. Refused by a backend of this machine. */
  elsewhere?: Elsewhere;
};

/** What an exec-server is asked to do with a process; without `sandbox` it runs as freely as the ceiling there lets it. */
type Elsewhere = { envPolicy: EnvPolicy; sandbox?: ExecSandbox };

/**
 * Which environment variables commands see. Patterns know `*` and `?`, match whole names and ignore case.
 * Source: Codex 0.28.0 `shell_environment_policy`; codex exec-server 0.142.0, `envPolicy`.
 */
export type EnvPolicy = {
  /** The variables to begin with. */
  inherit: 'all' | 'core' | 'none';
  /** Whether variables whose names look like credentials are kept. */
  ignoreDefaultExcludes: boolean;
  /** Patterns of variables that are left out. */
  exclude: readonly string[];
  /** Variables that are set, after that. */
  set: Readonly<Record<string, string>>;
  /** Patterns of the only variables that are kept at the end; empty for all. */
  includeOnly: readonly string[];
};

/** `pty` is the only output of a process that has a terminal. */
export type OutputStream = 'stdout' | 'stderr' | 'pty';

/** The life of one process. `seq` counts from 1 without gaps over all kinds. Source: codex exec-server 0.142.0, process/output, exited, closed. */
export type ProcessEvent =
  | ({ kind: 'output' } & OutputChunk)

  /** Stands for `missing` events up to `seq` that are no longer retained, with `missingBytes` of output if that is known. */
  | { kind: 'gap'; seq: number; missing: number; missingBytes?: number }

  /** Not the end of output. */
  | { kind: 'exited'; seq: number; exitCode: number }

  /** The end of output; comes last. */
  | { kind: 'closed'; seq: number }

  /** Comes instead of all others if the program could not be started, and among them if its executor is lost; `reason` is a text for people. */
  | { kind: 'failed'; seq: number; reason: string };

/** Bytes as the process wrote them, split anywhere. */
export type OutputChunk = { seq: number; stream: OutputStream; chunk: Uint8Array };

/** What to read. */
export type ReadRequest = {
  /** Output after this event. */
  afterSeq: number;
  /** Whole chunks up to this size, but at least one. */
  maxBytes?: number;
  /** How long to wait for the next event. */
  waitMs: number;
};

/** Retained output, oldest first. Source: codex exec-server 0.142.0, process/read, which does not report what was evicted. */
export type OutputPage = {
  chunks: OutputChunk[];
  /** One past the newest event reported. */
  nextSeq: number;
  exited: boolean;
  /** Null until the exit. */
  exitCode: number | null;
  closed: boolean;
  /** Why the executor lost the process. */
  failure: string | null;
  /** Set if output after `afterSeq` is no longer retained. */
  evicted?: Evicted;
};

/** Output that is no longer retained. */
export type Evicted = {
  /** All output up to this event. */
  throughSeq: number;
  /** The size of all output from the beginning up to there. */
  bytes: number;
};

/** The outcome of a write to a process: accepted, refused because the process is unknown or its input is closed, or too early. */
export const WRITE_STATUSES = ['accepted', 'unknownProcess', 'stdinClosed', 'starting'] as const;
/** The outcome of one write. */
export type WriteStatus = (typeof WRITE_STATUSES)[number];

/** Signals that can be sent to a process by name. */
export const PROCESS_SIGNALS = ['interrupt'] as const;
/** One of these signals. */
export type ProcessSignal = (typeof PROCESS_SIGNALS)[number];
