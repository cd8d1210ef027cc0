/** Owns the process around a replay: as a server on the standard streams, or as a client of a command. */
import { basename } from 'node:path';
import { fromEvent, map, merge, share, take, takeUntil } from 'rxjs';
import { version } from '../../package.json';
import { openSteps, startServing, startVerifying, type TapeChoice } from '../app/tape';
import { MASKS, type MaskName, type ReportFormat, toReport } from '../transcript';
import { endWithTrouble, endWritten, tellAs } from './tapeProcess';

/** What the command line says. */
export type ReplayArguments = {
  file: string;
  speed: string;
  loop: boolean;
  lenient: boolean;
  step: boolean;
  'step-fd'?: number;
  session?: number;
  'allow-redacted': boolean;
  mask: string[];
  unmask: MaskName[];
  update: boolean;
  report: ReportFormat;
  timeout: number;
  '--'?: string[];
};

/** Replays a tape: with a command behind `--` as its client, else as a server. Exit code 1 when it differs from the tape. */
export const replayProcess = (args: ReplayArguments): void => {
  const choice: TapeChoice = {
    path: args.file || '-', // yargs reads a lone - as no text
    session: args.session,
    allow: args['allow-redacted'] ? 'redacted' : 'whole',
  };
  if (args['--']?.length) verify(args, choice, args['--']);
  else serve(args, choice);
};

const tell = tellAs('replay');

/** A signal that asks to end; what was started is ended with this process. */
const stopped = () => merge(fromEvent(process, 'SIGTERM'), fromEvent(process, 'SIGINT')).pipe(take(1));

const serve = (args: ReplayArguments, choice: TapeChoice): void => {
  const { speed, loop, lenient, step, 'step-fd': fd } = args;
  const { stdin, stdout } = process;
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  startServing({ stdin, stdout, stop$: stopped().pipe(share()), step$, tell }, choice, {
    speed: speed === 'max' ? 'max' : Number(speed),
    repeat: loop ? 'again' : 'once',
    match: lenient ? 'nearest' : 'strict',
  })
    .subscribe({
      next: ({ kind, text }) => {
        tell(text);
        if (kind === 'trouble') process.exitCode = 1;
      },
      error: endWithTrouble('replay'),
    })
    .add(() => process.exit());
};

const verify = (args: ReplayArguments, choice: TapeChoice, command: readonly string[]): void => {
  const { stdin, stdout, env } = process;
  const masks = {
    names: MASKS.filter((name) => !args.unmask.includes(name)),
    own: args.mask.map((pattern) => new RegExp(pattern, 'g')),
  };
  process.exitCode = 1; // until the comparison says otherwise
  startVerifying({ stdin, tell, env, cwd: process.cwd(), version, started: new Date() }, choice, {
    command,
    masks,
    limitMs: args.timeout * 1000,
    write: args.update ? 'tape' : 'nothing',
  })
    .pipe(
      map((results) => ({
        report: toReport(args.report, results, basename(choice.path)),
        differs: results.some(({ difference }) => difference),
      })),
      takeUntil(stopped()),
    )
    .subscribe({
      next: ({ report, differs }) => {
        stdout.write(report);
        process.exitCode = !args.update && differs ? 1 : 0;
      },
      error: endWithTrouble('replay'),
    })
    .add(endWritten('replay'));
};
