/** `codex-rx fuzz`: sends a server changed requests of a tape, and finds crashes, hangs and breaks of the protocol. */
import { shareReplay, tap } from 'rxjs';
import { version } from '../../../package.json';
import type { LoadDeps } from '../../app/tapes/loadTape';
import { counted } from '../../streams/text/reasons';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import type { Rule } from '../../tapes/check/finding';
import { toCheckReport } from '../../tapes/check/toCheckReport';
import type { FaultKind } from '../../tapes/fuzz/findFaults';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { countOption, secondsOption } from '../option';
import { interruption } from '../signals';
import { REPORT_OPTION, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import type { FoundFault } from '../tapes/shrinkFault';
import { type FuzzReport, startFuzzing } from '../tapes/startFuzzing';
import { print, printOver } from '../terminal';

export const fuzz = defineCommand({
  usage: '$0 fuzz FILE [-o FILE] -- COMMAND [ARGUMENTS] | URL',
  positionals: { file: TAPE_FILE },
  options: {
    out: { alias: 'o', type: 'string', describe: 'A new file for the tape of the first fault; others get numbers' },
    seed: { type: 'number', whole: true, default: 1, describe: 'Seed of the random changes' },
    runs: countOption(100, 'How often the command is started with changed requests'),
    session: sessionOf('the file'),
    'allow-redacted': { type: 'boolean', describe: 'Play a tape whose secrets were removed' },
    timeout: secondsOption(10, 'Seconds to wait for the command while a response is due; more is a hang'),
    'max-runs': countOption(100, 'How often the command is started at most to shrink one fault'),
    ...REPORT_OPTION,
  },
  afterDashes: 'command',
  examples: [
    ['$0 fuzz tape.jsonl -o fault.jsonl -- my-server', '100 runs, each with ten changed requests'],
    ['$0 fuzz tape.jsonl --seed 7 --runs 1000 -- my-server', 'other changes, and more of them'],
  ],
  epilogue:
    'The changed requests are really sent: use a server that may do what its tools do. Exit codes: 0 no fault, 1 faults, 2 the tape or the command cannot be used, 130 or 143 after a signal. See docs/fuzz.md.',
  problem: ({ command }) =>
    command.length === 0 ? 'There is no server to run: write its command after --' : undefined,
  run: (given) => {
    const { file, session, command, timeout, out, seed, runs, report } = given;
    const stop$ = interruption().pipe(shareReplay(1));
    const own = { env: process.env, cwd: process.cwd(), version, started: new Date(), stop$ };
    const deps = { ...withProgress(tapeDeps('fuzz'), runs), ...own };
    const choice = { path: file, session, allow: given['allow-redacted'] ? 'redacted' : 'whole' } as const;
    const options = { command, limitMs: timeout * 1_000, seed, runs, maxRuns: given['max-runs'], out };
    startFuzzing(deps, choice, options)
      .pipe(tap({ next: () => printOver(''), error: () => printOver('') }))
      .subscribe({
        next: (found) => {
          print(toFuzzReport(report, found, { seed, runs }));
          process.exitCode ??= found.faults.length > 0 ? exitCode.failed : exitCode.ok;
        },
        error: failAs('fuzz'),
      })
      .add(exitWhenWritten('fuzz'));
  },
});

/** Shows in a terminal how far it is. */
const withProgress = ({ remark, ...deps }: LoadDeps, runs: number) => ({
  ...deps,
  remark: (text: string): void => {
    printOver('');
    remark(text);
  },
  onRun: ({ runs: done, faults }: FuzzReport): void =>
    printOver(`${done} of ${counted(runs, 'run')}, ${counted(faults.length, 'fault')}`),
});

/** The faults as text, as JSON, or as JUnit with a failure for each. */
export const toFuzzReport = (
  format: 'text' | 'json' | 'junit',
  report: FuzzReport,
  { seed, runs: planned }: { seed: number; runs: number },
): string => {
  const { runs, changes, faults, end } = report;
  if (format === 'junit')
    return toCheckReport('junit', [{ name: 'fuzz', calls: changes, findings: faults.map(toFinding) }]);
  const known = report.known.map(({ kind, what, text }) => ({ kind, what, text }));
  if (format === 'json') {
    const shown = faults.map(({ key, ...fault }) => fault);
    return `${toVisibleLines(JSON.stringify({ passed: faults.length === 0, seed, runs, planned, end, changes, faults: shown, known }, null, 2))}\n`;
  }
  const played = runs === planned ? counted(runs, 'run') : `${runs} of ${counted(planned, 'run')}`;
  const why = end === undefined ? '' : `: ${ENDS[end]}`;
  const counts = `${played}, ${counted(changes, 'changed request')}, seed ${seed}${why}`;
  const total = faults.length === 0 ? `NO FAULT: ${counts}` : `FAULTS: ${faults.length} in ${counts}`;
  return `${[...faults.flatMap(toLines), total].map(toVisible).join('\n')}\n`;
};

const ENDS: Readonly<Record<NonNullable<FuzzReport['end']>, string>> = {
  interrupted: 'interrupted',
  exhausted: 'each call that can be changed ends the server, or is not answered',
};

const toLines = ({ kind, what, text, change, lines, run, tape }: FoundFault): string[] => [
  `${kind.toUpperCase()}: ${what} (${run === 0 ? 'without a change' : `run ${run}`}): ${text}`,
  ...(change === undefined ? [] : [`  ${change.text}${fitText(change.fits)}`]),
  `  ${tape === undefined ? 'it takes' : `${tape}:`} ${counted(lines, 'line')} of the client besides the handshake`,
  '',
];

const fitText = (fits: boolean | undefined): string => {
  if (fits === undefined) return '';
  return fits ? ', which the schema allows' : ', which the schema does not allow';
};

const RULES: Readonly<Record<FaultKind, Rule>> = {
  crash: 'crash',
  hang: 'hung',
  flood: 'hung',
  noise: 'noise',
  protocol: 'protocol',
  'internal error': 'error',
  'stack trace': 'error',
};

const toFinding = ({ kind, what, text, change }: FoundFault) => ({
  rule: RULES[kind],
  lineNumber: 0,
  what,
  text: `${text}${change === undefined ? '' : `; ${change.text}${fitText(change.fits)}`}`,
});
