/** Starts programs that listen for HTTP, in specs: servers, recorders, played tapes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { commandLine } from '../daemon/peer';
import type { Home } from '../home';

const open: ChildProcess[] = [];

/** Ends all programs that were started. */
export const closePrograms = (): void => {
  for (const child of open.splice(0)) child.kill('SIGKILL');
};

/** What a started program writes, and how it ends. `found` resolves with the group of the first match in stdout or stderr. */
export type Program = {
  found: (pattern: RegExp) => Promise<string>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  end: () => Program['ended'];
};

/** Starts a program in the folder of a home. */
export const startProgram = ({ work, env }: Home, program: string, args: readonly string[]): Program => {
  const child = spawn(program, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  open.push(child);
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      texts[stream] += chunk;
    });
  const ended: Program['ended'] = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
  const matchOf = (pattern: RegExp) => pattern.exec(texts.stdout + texts.stderr)?.[1];
  const found = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const match = matchOf(pattern);
        if (match !== undefined) resolve(match);
      };
      for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', look);
      void ended.then(() => reject(new Error(`${program} ended without ${pattern}: ${JSON.stringify(texts)}`)));
      look();
    });
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { found, ended, end };
};

/** Starts codex-rx. */
export const startCodexRx = (home: Home, ...args: string[]): Program => startProgram(home, ...commandLine(...args));
