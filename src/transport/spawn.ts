/** The port that starts processes, as `node:child_process` has it. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
