/** Owns how much a session may ask of its processes. */

/**
 * `maxProcesses` at once per session; `maxPendingBytes` of input may wait for one process; `keepMs` is how long one that
 * closed stays readable, and its id taken; so many `writeIds` are remembered per process.
 */
export type ProcessLimits = {
  maxProcesses: number;
  maxPendingBytes: number;
  keepMs: number;
  writeIds: number;
};

/** Source: codex exec-server 0.142.0 for `keepMs` and `writeIds`; it has no limit of processes. */
export const PROCESS_LIMITS: ProcessLimits = {
  maxProcesses: 512,
  maxPendingBytes: 67_108_864,
  keepMs: 30_000,
  writeIds: 4096,
};
