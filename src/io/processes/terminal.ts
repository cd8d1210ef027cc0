/** The port to a terminal, and opening one for a program. */
import type { ProcessSpec } from '../../protocol/exec/process';

/** A child with a terminal, as node-pty has it. */
export type Terminal = {
  pid: number;
  onData: (listener: (chunk: Uint8Array) => void) => unknown;
  onExit: (listener: (end: { exitCode: number; signal?: number }) => void) => unknown;
  write: (chunk: Uint8Array) => void;
  pause: () => void;
  resume: () => void;
};

/** Starts a process in a terminal, as the package node-pty does. */
export type SpawnTerminal = (
  file: string,
  args: string[],
  options: { name: string; cols: number; rows: number; cwd: string; env: Record<string, string>; encoding: null },
) => Terminal;

/** Source: codex exec-server 0.142.0. */
const SIZE = { cols: 80, rows: 24 };

/** Starts the program of a spec, which must exist. Source: node-pty 1.1, which sets TERM and PWD. */
export const openTerminal = (spawn: SpawnTerminal, { argv, cwd, env }: ProcessSpec): Terminal => {
  const [program, ...args] = argv as [string, ...string[]];
  return spawn(program, args, { ...SIZE, name: env.TERM ?? 'xterm-256color', cwd, env, encoding: null });
};
