/** The limits of a session's processes. */

/**
 * @param maxProcesses that run at once per session
 * @param maxPendingBytes of input that may wait for one process
 * @param keepMs how long a closed process stays readable, and its id taken
 * @param writeIds how many are remembered per process
 */
export type ProcessLimits = { maxProcesses: number; maxPendingBytes: number; keepMs: number; writeIds: number };

/** Source: codex exec-server 0.142.0 for `keepMs` and `writeIds`; it has no limit of processes. */
export const PROCESS_LIMITS: ProcessLimits = {
  maxProcesses: 512,
  maxPendingBytes: 67_108_864,
  keepMs: 30_000,
  writeIds: 4096,
};
