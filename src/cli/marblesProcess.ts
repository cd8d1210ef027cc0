/** Owns the process around a spec that is written from a tape. */
import { version } from '../../package.json';
import { startWritingSpec } from '../app/tape';
import type { Runner } from '../transcript';
import { endWithTrouble, endWritten, tellAs } from './tapeProcess';

/** What the command line says. A lone - is read by yargs as no text. */
export type MarblesArguments = {
  file: string;
  session?: number;
  from?: number;
  to?: number;
  thread?: string;
  against: 'command' | 'tape';
  runner: Runner;
  out?: string;
  '--'?: string[];
};

/** Writes a spec to a file or stdout. */
export const marblesProcess = (args: MarblesArguments): void => {
  const { stdin, stdout } = process;
  const { file, session, from, to, thread, against, runner, out } = args;
  startWritingSpec(
    { stdin, tell: tellAs('marbles'), version },
    {
      path: file || '-',
      session,
      choice: { fromMs: from, toMs: to, thread },
      command: args['--'],
      against,
      runner,
      out,
    },
  )
    .subscribe({
      next: (text) => text !== undefined && stdout.write(text),
      error: endWithTrouble('marbles'),
    })
    .add(endWritten('marbles'));
};
