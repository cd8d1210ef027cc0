/** Owns the processes of the commands that only read tapes: diff, redact, stats. */
import { basename } from 'node:path';
import { forkJoin, map } from 'rxjs';
import { version } from '../../package.json';
import { loadSession, startImporting, startRedacting } from '../app/tape';
import {
  compare,
  MASKS,
  type MaskName,
  type ReportFormat,
  type SourceName,
  toRecording,
  toReport,
  toStats,
  toStatsTable,
} from '../transcript';
import { secretsOf } from './secretsOf';
import { endWithTrouble, endWritten, tellAs } from './tapeProcess';

/** What the command line says. A lone - is read by yargs as no text. */
export type StatsArguments = { file: string; session?: number; json: boolean };
export type DiffArguments = {
  a: string;
  b: string;
  'session-a'?: number;
  'session-b'?: number;
  mask: string[];
  unmask: MaskName[];
  report: ReportFormat;
};
export type ImportArguments = { file: string; from: SourceName; out?: string };
export type RedactArguments = { file: string; out?: string; value: string[] };

/** Shows what a session holds. */
export const statsProcess = ({ file, session, json }: StatsArguments): void => {
  const { stdin, stdout } = process;
  loadSession({ stdin, tell: tellAs('stats') }, file || '-', session)
    .pipe(
      map(toStats),
      map((stats) => (json ? JSON.stringify(stats, null, 2) : toStatsTable(stats).join('\n'))),
    )
    .subscribe({
      next: (text) => stdout.write(`${text}\n`),
      error: endWithTrouble('stats'),
    })
    .add(endWritten('stats'));
};

/** Compares a session of two tapes each, the last where none is named; exit code 1 when they differ. */
export const diffProcess = (args: DiffArguments): void => {
  const { a, b, mask, unmask, report } = args;
  const { stdin, stdout } = process;
  const deps = { stdin, tell: tellAs('diff') };
  const masks = {
    names: MASKS.filter((name) => !unmask.includes(name)),
    own: mask.map((pattern) => new RegExp(pattern, 'g')),
  };
  forkJoin([loadSession(deps, a || '-', args['session-a']), loadSession(deps, b || '-', args['session-b'])])
    .pipe(
      map(([before, after]) => compare(toRecording(before), toRecording(after), masks)),
      map((results) => ({
        text: toReport(report, results, basename(a)),
        differs: results.some(({ difference }) => difference),
      })),
    )
    .subscribe({
      next: ({ text, differs }) => {
        stdout.write(text);
        if (differs) process.exitCode = 1;
      },
      error: endWithTrouble('diff'),
    })
    .add(endWritten('diff'));
};

/** Makes a tape of a file that another program wrote. */
export const importProcess = ({ file, from, out }: ImportArguments): void => {
  const { stdin, stdout } = process;
  const tell = tellAs('import');
  startImporting({ stdin, tell, version }, file || '-', { from, out })
    .subscribe({
      next: ({ kind, entries, text }) => {
        if (text !== undefined) stdout.write(`${text}\n`);
        tell(`${entries} lines of a ${kind}${out === undefined ? '' : ` are in ${out}`}`);
      },
      error: endWithTrouble('import'),
    })
    .add(endWritten('import'));
};

const MAX_LINES = 8;

/** Writes a tape without its secrets to a file or stdout, and says on stderr what was removed. */
export const redactProcess = ({ file, out, value }: RedactArguments): void => {
  const { stdin, stdout, env } = process;
  const tell = tellAs('redact');
  startRedacting({ stdin, tell }, file || '-', { out, secrets: [...secretsOf(env), ...value] })
    .subscribe({
      next: ({ removed, lines, text }) => {
        if (text !== undefined) stdout.write(`${text}\n`);
        for (const [kind, count] of Object.entries(removed)) {
          const where = lines[kind] ?? [];
          const more = where.length > MAX_LINES ? ' …' : '';
          tell(`${count} × ${kind}, in line ${where.slice(0, MAX_LINES).join(', ')}${more}`);
        }
        if (Object.keys(removed).length === 0)
          tell('nothing was found to remove; look at the tape before you share it');
      },
      error: endWithTrouble('redact'),
    })
    .add(endWritten('redact'));
};
