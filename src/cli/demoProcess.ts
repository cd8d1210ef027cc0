/** Owns the process around the demonstration: its streams, signals, exit code. */
import { join } from 'node:path';
import { connect, fromEvent, map, merge, take } from 'rxjs';
import { version } from '../../package.json';
import { startDemo } from '../app/demo';
import { ofKind } from '../streams';
import { writeLines } from '../transport';

/** What the command line says. */
export type DemoArguments = { ask: boolean; raw: boolean; keep: boolean };

const MIN_WIDTH = 60;
const MAX_WIDTH = 80;

/** Shows the demonstration on stdout; exits with 0 when it showed what it should, else with 1. */
export const demoProcess = ({ ask, raw, keep }: DemoArguments): void => {
  const { stdin, stdout, env, execPath } = process;
  const colourful = stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  startDemo(
    {
      env,
      execPath,
      bin: join(__dirname, '..', 'bin', 'codex-rx.js'),
      version,
      width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stdout.columns || MAX_WIDTH)),
      stdin,
      stop$: merge(fromEvent(process, 'SIGINT'), fromEvent(process, 'SIGTERM')).pipe(
        take(1),
        map(() => 'it was stopped'),
      ),
    },
    {
      answers: ask ? 'person' : 'yes',
      draw: raw ? 'json' : 'marbles',
      colour: colourful ? 'on' : 'off',
      leave: keep ? 'folders' : 'nothing',
    },
  )
    .pipe(
      connect((shown$) =>
        merge(
          shown$.pipe(
            ofKind('line'),
            map(({ text }) => text),
            writeLines(stdout),
          ),
          shown$.pipe(ofKind('over')),
        ),
      ),
    )
    .subscribe({
      next: ({ exitCode }) => {
        process.exitCode = exitCode;
      },
      error: (error: Error) => {
        process.stderr.write(`The demonstration failed: ${error.message}\n`);
        process.exitCode = 1;
      },
    })
    .add(() => process.exit()); // after every teardown: the server is gone and the folders are removed
};
