/** `codex-rx shrink`: finds the few lines of a tape at which a server differs or crashes. */
import { concatMap, EMPTY, expand, last, map, NEVER, type Observable, of, range, takeUntil, tap, toArray } from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { checkNew, toItems, writeNew } from '../../app/tapes/writeFiles';
import type { LaneResult } from '../../tapes/diff/compare';
import { withoutPlaces } from '../../tapes/diff/describeLane';
import { toReport } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { Session } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { type MaskWords, problemOfMasks } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import {
  type ServerDeps,
  type SessionOptions,
  type VerifiedSession,
  verifySession,
} from '../../tapes/sessions/verifySession';
import {
  afterTrial,
  candidateOf,
  type Followed,
  failuresOf,
  optionalLines,
  pickLines,
  type Reduction,
  remarkUnstable,
  startReduction,
  toFollowed,
  unsolicitedLabels,
} from '../../tapes/shrink/pickLines';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import type { TapeChoice } from '../replay/serveTape';
import { stopSignal } from '../signals';
import { MASK_OPTIONS, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { type SpecRequest, startWritingSpec } from '../tapes/startWritingSpec';
import { columnsOf, print } from '../terminal';

export const shrink = defineCommand({
  usage: '$0 shrink TAPE [-o FILE] -- COMMAND [ARGUMENTS]',
  positionals: { file: TAPE_FILE },
  options: {
    out: { alias: 'o', type: 'string', describe: 'A new file for the shorter tape' },
    spec: { type: 'string', describe: 'A new file for a marble spec of it, for node --test; needs --out' },
    session: sessionOf('the file'),
    'allow-redacted': { type: 'boolean', describe: 'Play a tape whose secrets were removed' },
    timeout: {
      type: 'number',
      above: 0,
      default: 10,
      describe: 'Seconds to wait for the command while a response is due',
    },
    repeat: {
      type: 'number',
      from: 1,
      whole: true,
      default: 2,
      describe: 'How often the whole session is played first; what differs between these runs is left out',
    },
    'max-runs': {
      type: 'number',
      from: 1,
      whole: true,
      default: 200,
      describe: 'How often the command is started at most',
    },
    ...MASK_OPTIONS,
  },
  afterDashes: 'command',
  examples: [
    ['$0 shrink tape.jsonl -o small.jsonl -- my-server', 'the fewest requests that show the first difference'],
    ['$0 shrink tape.jsonl -o small.jsonl --spec small.test.mjs -- my-server', 'and a spec of a few columns'],
  ],
  epilogue:
    'Exit codes: 0 the tape was shrunk, 1 the command answers as recorded, or differently each time, 2 the tape or the command cannot be used. See docs/shrink.md.',
  problem: (given) => {
    if (given.command.length === 0) return 'There is no server to run: write its command after --';
    if (given.spec !== undefined && given.out === undefined)
      return '--spec is written from the shorter tape: name a file for it by --out';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { env } = process;
    const { file, session, command, timeout, out, spec } = given;
    const deps = { ...tapeDeps('shrink'), env, cwd: process.cwd(), version, started: new Date() };
    const choice = { path: file, session, allow: given['allow-redacted'] ? 'redacted' : 'whole' } as const;
    startShrinking(deps, choice, {
      command,
      words: given,
      limitMs: timeout * 1000,
      pace: 'needed',
      wholeRuns: given.repeat,
      maxRuns: given['max-runs'],
      out,
      spec,
    })
      .pipe(
        concatMap((shrunk) => {
          if (shrunk.kind !== 'shrunk' || out === undefined || spec === undefined) return of(shrunk);
          return startWritingSpec({ ...tapeDeps('shrink'), version }, specOf(out, spec, command)).pipe(
            map(() => shrunk),
          );
        }),
        takeUntil(stopSignal()),
      )
      .subscribe({ next: (shrunk) => print(toText(shrunk)), error: failAs('shrink') })
      .add(exitWhenWritten('shrink'));
  },
});

const specOf = (path: string, out: string, command: readonly string[]): SpecRequest => ({
  path,
  out,
  command,
  consent: () => NEVER, // the command is that of the person
  choice: {},
  against: 'command',
  runner: 'node',
});

const toText = (shrunk: Shrunk): string => {
  if (shrunk.kind !== 'shrunk') {
    process.exitCode = exitCode.failed;
    return NOT_SHRUNK[shrunk.kind];
  }
  const { before, after, runs, results } = shrunk;
  const report = toReport({ format: 'text', columns: columnsOf(process.stdout) }, results, '');
  return `${report}SHRUNK: from ${before} lines of the client to ${after}, besides the handshake, in ${runs} runs\n`;
};

const NOT_SHRUNK = {
  same: 'SAME: the command answers as recorded, so there is nothing to shrink\n',
  unstable:
    'UNSTABLE: the command differs from the tape in other ways each time, so there is no failure to follow; --mask and --ignore-path leave more out, and a command that keeps files has to empty its folder at each start\n',
};

type ShrinkOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  /** How often the whole session is played first. */
  wholeRuns: number;
  /** How often the server is started at most. */
  maxRuns: number;
  /** A new file for the tape. */
  out?: string;
  /** A new file for a spec that is written from the tape. */
  spec?: string;
};

/** Result of a search for a shorter session. */
type Shrunk =
  /** The server answers as recorded, or differs in other ways each time. */
  | { kind: 'same' | 'unstable' }
  /** How many lines of the client were and are left, and how the server differs from them. */
  | { kind: 'shrunk'; before: number; after: number; runs: number; results: readonly LaneResult[] };

type Trying = { reduction: Reduction<number>; runs: number; results: readonly LaneResult[]; now: Session };

/**
 * Plays the session whole, several times, then ever smaller parts of it. What differs between the whole runs is left out. Emits once and completes. Errors with
 * TapeError if nothing can be played.
 */
const startShrinking = (deps: LoadDeps & ServerDeps, choice: TapeChoice, options: ShrinkOptions): Observable<Shrunk> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((loaded) => checkWhole(loaded, choice.allow)),
    tap(() => checkNew([options.out, options.spec])),
    concatMap((session) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const run = (one: Session) => verifySession(deps, one, { ...options, masks } satisfies SessionOptions);
      return range(0, options.wholeRuns).pipe(
        concatMap(() => run(session)),
        toArray(),
        concatMap((whole) => {
          const followed = toFollowed(whole);
          remarkUnstable(deps.remark, followed.unstable, whole.length);
          if (followed.kind !== 'failure') return of<Shrunk>(followed);
          deps.remark(`the failure: ${followed.failure}`);
          return shorten({ deps, options, run, followed }, session, whole[0] as VerifiedSession);
        }),
      );
    }),
  );

type Shrinking = {
  deps: LoadDeps;
  options: ShrinkOptions;
  run: (session: Session) => Observable<VerifiedSession>;
  followed: Extract<Followed, { kind: 'failure' }>;
};

/** The session with some of its lines, and with what the server sent unasked in the run before. */
type PickLines = (lines: readonly number[], now: Session) => Session;

const shorten = (shrinking: Shrinking, session: Session, whole: VerifiedSession): Observable<Shrunk> => {
  const { options, followed } = shrinking;
  const index = toSessionIndex(session);
  const lines = optionalLines(index);
  const pick: PickLines = (lines, now) =>
    pickLines(session, index, { lines, unasked: unsolicitedLabels(toSessionIndex(now)) });
  const { results: first, now: firstNow } = whole;
  return of<Trying>({ reduction: startReduction(lines), runs: options.wholeRuns, results: first, now: firstNow }).pipe(
    expand(tryNext(shrinking, pick)),
    last(),
    map(({ reduction: { items }, runs, results, now }): Shrunk => {
      if (options.out !== undefined) writeNew(options.out, toTape(pick(items, now)));
      const left = withoutPlaces(results, followed.unstable);
      return { kind: 'shrunk', before: lines.length, after: items.length, runs, results: left };
    }),
  );
};

/** Plays the next shorter session; emits nothing if there is none, or after enough runs. */
const tryNext =
  ({ deps, options, run, followed: { failure, unstable } }: Shrinking, pick: PickLines) =>
  ({ reduction, runs, results, now }: Trying): Observable<Trying> => {
    const candidate = runs < options.maxRuns ? candidateOf(reduction) : undefined;
    if (candidate === undefined) return EMPTY;
    return run(pick(candidate, now)).pipe(
      map((verified): Trying => {
        const isIt = failuresOf(verified, unstable).includes(failure);
        const after = afterTrial(reduction, isIt ? 'fails' : 'passes');
        return { reduction: after, runs: runs + 1, ...(isIt ? verified : { results, now }) };
      }),
      tap(({ reduction: { items }, runs: count }) => {
        if (items.length < reduction.items.length)
          deps.remark(`run ${count}: ${items.length === 1 ? '1 line is' : `${items.length} lines are`} left`);
      }),
    );
  };

const toTape = (session: Session): string =>
  `${toItems(session)
    .flatMap((item) => toTapeLine(item) ?? [])
    .join('\n')}\n`;
