/** The port that starts processes, as `node:child_process` has it. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** Starts a process, as `spawn` of node:child_process does. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
