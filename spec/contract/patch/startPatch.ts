/** Starts processes that apply patches. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Builds a program of this folder; its path. */
export const build = (name: string, folder: string): string => {
  const program = join(folder, `${name}.cjs`);
  const options = ['--bundle', '--platform=node', `--outfile=${program}`, '--log-level=warning'];
  execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [join(__dirname, `${name}.ts`), ...options]);
  return program;
};

export type Ended = { stdout: string; signal: NodeJS.Signals | null; code: number | null };

/** What a process printed, and how it ended. */
export const ended = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve, reject) => {
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ stdout, code, signal }));
  });

export const start = (argv: readonly string[], cwd: string, env: Record<string, string>): ChildProcess => {
  const [program = '', ...args] = argv;
  return spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
};
