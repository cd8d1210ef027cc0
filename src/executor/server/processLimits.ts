/** The limits of a session's processes. */

/** Limits of one session. */
export type ProcessLimits = {
  /** How many processes may run at once. */
  maxProcesses: number;
  /** How much input may be pending for one process. */
  maxPendingBytes: number;
  /** How long a closed process stays readable, and its id taken. */
  keepMs: number;
  /** How many ids of writes are remembered per process. */
  writeIds: number;
};

/** Source: codex exec-server 0.142.0 for `keepMs` and `writeIds`; it has no limit of processes. */
export const PROCESS_LIMITS: ProcessLimits = {
  maxProcesses: 512,
  maxPendingBytes: 67_108_864,
  keepMs: 30_000,
  writeIds: 4096,
};
