/** This machine, as the search for what specs need sees it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** How a program ended. */
export type Ending = {
  /** Undefined if it could not be started, or did not end. */
  status: number | undefined;
  /** The first line that it wrote to stderr, or the reason why it could not be started. */
  error: string;
};

/** What is asked of a machine before the first spec. */
export type Machine = {
  isRoot: boolean;
  /** True if `apt-get` installs its packages. */
  isDebian: boolean;
  /** True for a run of `spec/peers`. */
  hasPeers: boolean;
  /** Runs a program to its end. */
  run: (argv: readonly string[]) => Ending;
  /** Prints a line for the person. */
  print: (line: string) => void;
};

/** The `PATH` of programs that specs start: with the folders of servers, which Debian gives to root only. */
export const SPEC_PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`;

/** An installation from a slow mirror takes its time; one that waits for a network that is not there ends. */
const AT_MOST_MS = 300_000;

const run: Machine['run'] = ([program = '', ...args]) => {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd: resolve(__dirname, '../../..'),
    env: { ...process.env, PATH: SPEC_PATH, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: AT_MOST_MS,
  });
  return { status: status ?? undefined, error: error?.message ?? stderr.trim().split('\n')[0] ?? '' };
};

/** The machine that runs the specs. */
export const thisMachine = (): Machine => ({
  isRoot: process.getuid?.() === 0,
  isDebian: existsSync('/etc/debian_version'),
  hasPeers: process.env.PEERS !== undefined,
  run,
  print: (line) => void process.stderr.write(`${line}\n`),
});
