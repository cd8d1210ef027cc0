/** `codex-rx check`: finds what is wrong in recorded sessions, for CI. */
import { createHash } from 'node:crypto';
import { catchError, concatMap, defer, from, map, type Observable, of, reduce } from 'rxjs';
import { version } from '../../../package.json';
import { foldAll } from '../../app/tapes/foldTape';
import { loadOffers } from '../../app/tapes/loadOffers';
import { type LoadDeps, loadSessions } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeFiles';
import { checker } from '../../tapes/check/checkSession';
import { type CheckedSession, type CheckOptions, RULES } from '../../tapes/check/finding';
import { isEnough, isPassed, toCheckReport } from '../../tapes/check/toCheckReport';
import { type NamedIndex, toHar } from '../../tapes/check/toHar';
import { toOtlp } from '../../tapes/check/toOtlp';
import { type Coverage, type CoverageTally, coverageTally } from '../../tapes/coverage/coverage';
import { type NamedTape, tapesOf } from '../../tapes/files/tapesIn';
import { TapeError } from '../../tapes/format/tape';
import { toIgnoredMethod } from '../../tapes/matching/ignore';
import type { Offers } from '../../tapes/offers/offers';
import { type SessionFold, wholePart } from '../../tapes/session/readParts';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { REPORT_OPTION, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { print } from '../terminal';

export const check = defineCommand({
  usage: '$0 check FILE|FOLDER [MORE...]',
  positionals: {
    file: { ...TAPE_FILE, describe: 'A tape: a file, nats://HOST/NAME, or - for stdin; or a folder of tapes' },
    more: { type: 'string', array: true, describe: 'More tapes or folders' },
  },
  options: {
    session: { ...sessionOf('each file'), describe: 'Only the session with this number, from 1. Default: all' },
    allow: {
      type: 'string',
      array: true,
      choices: [...RULES, 'damaged'],
      describe: 'Switch this rule off; damaged takes a tape with lines that cannot be read',
    },
    slow: {
      type: 'number',
      above: 0,
      describe: 'Find methods and tools whose 99th percentile of response times is above this, in ms',
    },
    forbid: { type: 'string', array: true, describe: 'Find calls of this tool; * is any text' },
    baseline: {
      type: 'string',
      describe:
        'Find tools, prompts and resources that differ from those of this tape, or of this JSON file with "tools"',
    },
    coverage: {
      type: 'boolean',
      describe: 'Also report which tools, arguments, values, errors, prompts and resources no tape touches',
    },
    'min-coverage': {
      type: 'number',
      above: 0,
      describe: 'The same; fail below this percentage',
    },
    har: { type: 'string', describe: 'Write all calls to this new file as HAR' },
    otlp: { type: 'string', describe: 'Write all calls to this new file as OTLP/JSON traces' },
    ...REPORT_OPTION,
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 check tapes/', 'hung calls, unanswered requests, errors, lines on stdout that are not messages'],
    ['$0 check tapes/ --slow 2000 --forbid "delete_*" --report junit', 'also slow and forbidden tools, for CI'],
    ['$0 check monday.jsonl tuesday.jsonl', 'one report on both'],
    ['$0 check tape.jsonl --baseline tools.jsonl', 'has the server changed, added or removed a tool?'],
    ['$0 check tapes/ --min-coverage 80', 'what do the tapes not touch? Exit code 1 below 80 %'],
    ['$0 check tape.jsonl --allow error --otlp traces.json', 'errors are expected; traces for a viewer'],
  ],
  epilogue: 'Exit codes: 0 nothing found, 1 something found, 2 a tape cannot be used. See docs/check.md.',
  problem: ({ file, more, ...given }) => {
    if ([file, ...more].filter((path) => path === '-').length > 1) return 'only one of the files can be stdin';
    return (given['min-coverage'] ?? 0) > 100 ? '--min-coverage must be at most 100' : undefined;
  },
  run: ({ file, more, session, allow, slow, forbid, baseline, har, otlp, report, ...given }) => {
    const minPercent = given['min-coverage'];
    const tally = given.coverage || minPercent !== undefined ? coverageTally() : undefined;
    const allowed = RULES.filter((rule) => allow.includes(rule));
    const options = { allowed, slowMs: slow, forbidden: forbid.map(toIgnoredMethod) };
    const whole = allow.includes('damaged') ? undefined : '--allow damaged';
    const paths = [file, ...more];
    const deps = { ...tapeDeps('check'), version };
    startChecking(deps, { paths, session, whole, options, baseline, tally, har, otlp })
      .subscribe({
        next: ({ sessions, coverage }) => {
          const measured = coverage && { ...coverage, minPercent };
          const isUncounted = tally !== undefined && coverage === undefined;
          print(toCheckReport(report, sessions, measured));
          if (isUncounted) deps.remark(NO_LIST);
          if (!sessions.every(isPassed) || !isEnough(measured)) process.exitCode = exitCode.failed;
          const isUnusable = sessions.some(({ problem }) => problem !== undefined);
          if (isUnusable || (isUncounted && minPercent !== undefined)) process.exitCode = exitCode.unusable;
        },
        error: failAs('check'),
      })
      .add(exitWhenWritten('check'));
  },
});

const NO_LIST = 'no tape has a list of the server, so the coverage cannot be counted; --baseline names a tape that has';

type CheckChoice = {
  /** Tapes, and folders of tapes. */
  paths: readonly string[];
  session?: number;
  /** The option that takes a damaged tape; undefined if it was given. */
  whole: string | undefined;
  options: Omit<CheckOptions, 'baseline'>;
  /** A tape, or a JSON file with lists. */
  baseline?: string;
  /** Counts what the sessions touch. */
  tally?: CoverageTally;
  /** A new file for the export. */
  har?: string;
  /** A new file for the export. */
  otlp?: string;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

type Read = { checked: CheckedSession; index?: NamedIndex };

/** What was checked, and what it touches if that was asked for. */
type Checked = { sessions: CheckedSession[]; coverage?: Coverage };

/** Emits the checked sessions once, and completes. Of several tapes, an unusable tape is a session with a problem. */
const startChecking = (deps: LoadDeps & { version: string }, choice: CheckChoice): Observable<Checked> =>
  baselineOf(deps, choice.baseline).pipe(
    concatMap((baseline) =>
      readAll(choice.paths, reader(deps, choice, { ...choice.options, baseline })).pipe(
        map((read) => ({ read, coverage: choice.tally?.end(baseline) })),
      ),
    ),
    map(({ read, coverage }) => {
      const { har, otlp } = choice;
      const usable = read.flatMap(({ index }) => index ?? []);
      const program = { name: 'codex-rx', version: deps.version };
      if (har !== undefined) writeNew(har, toHar(usable, program));
      if (otlp !== undefined) writeNew(otlp, toOtlp(usable, { scope: program, digest }));
      return { sessions: read.map(({ checked }) => checked), ...(coverage && { coverage }) };
    }),
  );

const baselineOf = (deps: LoadDeps, path: string | undefined): Observable<Offers | undefined> =>
  path === undefined ? of(undefined) : loadOffers(deps, path);

type ReadTape = (tape: NamedTape) => Observable<Read[]>;

const readAll = (paths: readonly string[], read: ReadTape): Observable<Read[]> =>
  defer(() => {
    const tapes = tapesOf(paths);
    if (tapes.kind === 'file') return read(tapes);
    return from(tapes.files).pipe(
      concatMap((file) =>
        read(file).pipe(
          catchError((error: Error) => {
            if (!(error instanceof TapeError)) throw error;
            return of<Read[]>([{ checked: { name: file.name, calls: 0, findings: [], problem: error.message } }]);
          }),
        ),
      ),
      reduce<Read[], Read[]>((all, some) => [...all, ...some], []),
    );
  });

/** Reads a tape in a stream, or as a whole if its calls are exported. */
const reader =
  (deps: LoadDeps, { session: number, whole, har, otlp, tally }: CheckChoice, options: CheckOptions): ReadTape =>
  ({ path, name }) => {
    const choice = { path, number, whole };
    const named = (all: readonly { number: number }[], one: { number: number }): string =>
      all.length > 1 ? `${name} session ${one.number}` : name;
    if (har === undefined && otlp === undefined)
      return foldAll(deps, choice, () => withTally(checker(options), tally)).pipe(
        map((all) => all.map((one) => ({ checked: { name: named(all, one), ...one.result } }))),
      );
    return loadSessions(deps, choice, whole).pipe(
      map((all) =>
        all.map((one) =>
          toRead(named(all, one), toSessionIndex(one.session), () => withTally(checker(options), tally)),
        ),
      ),
    );
  };

type Check = SessionFold<Pick<CheckedSession, 'calls' | 'findings'>>;

/** The check, which also counts what the session touches. */
const withTally = (check: Check, tally: CoverageTally | undefined): Check => {
  const counting = tally?.session();
  return {
    add: (part) => {
      check.add(part);
      counting?.add(part);
    },
    end: () => {
      counting?.end();
      return check.end();
    },
  };
};

const toRead = (name: string, index: SessionIndex, open: () => Check): Read => {
  const check = open();
  check.add(wholePart(index));
  return { checked: { name, ...check.end() }, index: { name, index } };
};
