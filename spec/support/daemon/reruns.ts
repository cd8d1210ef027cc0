/** Runs the recorded daemon of a tape again, which must send the same. */
import { spawnSync } from 'node:child_process';
import type { Home } from '../home';
import { commandLine } from './peer';

/** The exit code of `codex-rx rerun` and its report. */
export const rerunOf = (home: Home, tape: string, ...args: string[]): { code: number | null; text: string } => {
  const [program, given] = commandLine('rerun', tape, ...args);
  const options = { cwd: home.path, env: home.env, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(program, given, options);
  return { code: status, text: stdout + stderr };
};

/** What a rerun without a difference is. */
export const SAME_TO_THE_BYTE = {
  code: 0,
  text: expect.stringMatching(/^SAME to the byte: \d+ lines of the server\n$/),
};
