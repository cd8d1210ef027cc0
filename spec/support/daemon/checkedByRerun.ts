/** With RERUN=1 every daemon that a spec of spec/wire starts is recorded, and runs again from its tape when the spec is over. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../home';

const IS_ON = process.env.RERUN === '1';

/** Specs whose tapes are not checked, each with the reason; docs/rerun.md names these limits. */
const EXEMPT: Readonly<Record<string, string>> = {
  'a client that stops reading slows a command that prints 200 MB': 'the tape is larger than what is read',
  'an editor with files': 'what an editor answers about a file is at no seam',
  'a configuration that cannot be used names file and line': 'the configuration changes while the daemon runs',
  'an approval for the session does not count where a link has taken the place': 'a folder becomes a link meanwhile',
  'an approval does not count for a folder that was replaced': 'a folder becomes a link meanwhile',
  'a thread whose folder a link has replaced': 'a folder becomes a link meanwhile',
  'a server whose own folder a link has replaced': 'a folder becomes a link meanwhile',
};

/** The engine of an installed Codex cannot be run again, and the tape says so itself. */
const REFUSED = /engine app-server/;

/** Where a daemon is recorded for this; undefined where it is not. */
export const tapeForRerun = ({ path }: Home, number: number, args: readonly string[]): string | undefined => {
  const { currentTestName = '' } = expect.getState();
  const isExempt = Object.keys(EXEMPT).some((name) => currentTestName.startsWith(name));
  return IS_ON && !isExempt && !args.includes('--record') ? join(path, `rerun-${number}.jsonl`) : undefined;
};

/** What runs a tape again: a command in a home, with the variables that the daemon had. */
export type Rerun = { home: Home; tape: string; env: Record<string, string> | undefined; command: [string, string[]] };

/** Why the daemon of a tape did not send the same again, to the byte; undefined where it did. */
export const differenceOf = async (rerun: Rerun): Promise<string | undefined> => {
  if (!existsSync(rerun.tape)) return undefined; // the daemon ended before it served
  const { code, text } = await run(rerun);
  return code === 0 || REFUSED.test(text) ? undefined : `rerun ended with exit code ${code}: ${text.slice(0, 4_000)}`;
};

const run = ({ home, env, command: [program, args] }: Rerun): Promise<{ code: number | null; text: string }> =>
  new Promise((done) => {
    const child = spawn(program, args, { cwd: home.path, env: { ...home.env, ...env }, timeout: 60_000 });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
    child.stdin.end();
    child.once('close', (code) => done({ code, text }));
  });
