/** `codex-rx shrink`: finds the few lines of a tape at which a server differs or crashes. */
import {
  concatMap,
  EMPTY,
  last,
  map,
  NEVER,
  type Observable,
  of,
  range,
  scan,
  shareReplay,
  takeUntil,
  tap,
  toArray,
} from 'rxjs';
import { version } from '../../../package.json';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { checkNew, toTapeText, writeNew } from '../../app/tapes/writeFiles';
import type { LaneResult } from '../../tapes/diff/compare';
import { withoutPlaces } from '../../tapes/diff/describeLane';
import { toReport } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { Session } from '../../tapes/format/tape';
import { type MaskWords, problemOfMasks } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { ServerDeps } from '../../tapes/sessions/toServer';
import { type SessionOptions, type VerifiedSession, verifySession } from '../../tapes/sessions/verifySession';
import {
  type Followed,
  failuresOf,
  optionalLines,
  pickLines,
  remarkUnstable,
  toFollowed,
  unsolicitedLabels,
} from '../../tapes/shrink/pickLines';
import { reduceList, type Trial, type TryItems } from '../../tapes/shrink/reduceList';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { countOption, secondsOption } from '../option';
import type { TapeChoice } from '../replay/serveTape';
import { interruption } from '../signals';
import { MASK_OPTIONS, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { type SpecRequest, startWritingSpec } from '../tapes/startWritingSpec';
import { columnsOf, print } from '../terminal';

export const shrink = defineCommand({
  usage: '$0 shrink FILE [-o FILE] -- COMMAND [ARGUMENTS]',
  positionals: { file: TAPE_FILE },
  options: {
    out: { alias: 'o', type: 'string', describe: 'A new file for the shorter tape' },
    spec: { type: 'string', describe: 'A new file for a marble spec of it, for node --test; needs --out' },
    session: sessionOf('the file'),
    'allow-redacted': { type: 'boolean', describe: 'Play a tape whose secrets were removed' },
    timeout: secondsOption(10, 'Seconds to wait for the command while a response is due'),
    repeat: countOption(2, 'How often the whole session is played first; what differs between these runs is left out'),
    'max-runs': countOption(200, 'How often the command is started at most'),
    ...MASK_OPTIONS,
  },
  afterDashes: 'command',
  examples: [
    ['$0 shrink tape.jsonl -o small.jsonl -- my-server', 'the fewest requests that show the first difference'],
    ['$0 shrink tape.jsonl -o small.jsonl --spec small.test.mjs -- my-server', 'and a spec of a few columns'],
  ],
  epilogue:
    'Exit codes: 0 the tape was shrunk, 130 or 143 it was stopped by a signal, after what was found is written, 1 the command answers as recorded, or differently each time, 2 the tape or the command cannot be used. See docs/shrink.md.',
  problem: (given) => {
    if (given.command.length === 0) return 'There is no server to run: write its command after --';
    if (given.spec !== undefined && given.out === undefined)
      return '--spec is written from the shorter tape: name a file for it by --out';
    return problemOfMasks(given);
  },
  run: (given) => {
    const { env } = process;
    const { file, session, command, timeout, out, spec } = given;
    const stop$ = interruption().pipe(shareReplay(1));
    const deps = { ...tapeDeps('shrink'), env, cwd: process.cwd(), version, started: new Date(), stop$ };
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

type ShrinkDeps = LoadDeps &
  ServerDeps & {
    /** Emits once, also to a late subscriber, if the search is to end; the shortest session so far is the result. */
    stop$: Observable<unknown>;
  };

/**
 * Plays the session whole, several times, then ever smaller parts of it. What differs between the whole runs is left out. Emits once and completes; emits
 * nothing if it is stopped before the whole runs are over. Errors with TapeError if nothing can be played.
 */
const startShrinking = (deps: ShrinkDeps, choice: TapeChoice, options: ShrinkOptions): Observable<Shrunk> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((loaded) => checkWhole(loaded, choice.allow)),
    tap(() => checkNew([options.out, options.spec])),
    concatMap((session) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const run = (one: Session) => verifySession(deps, one, { ...options, masks } satisfies SessionOptions);
      return range(0, options.wholeRuns).pipe(
        concatMap(() => run(session)),
        takeUntil(deps.stop$),
        toArray(),
        concatMap((whole) => {
          if (whole.length < options.wholeRuns) return EMPTY;
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
  deps: ShrinkDeps;
  options: ShrinkOptions;
  run: (session: Session) => Observable<VerifiedSession>;
  followed: Extract<Followed, { kind: 'failure' }>;
};

/** The session with some of its lines, and with what the server sent unasked in the run before. */
type PickLines = (lines: readonly number[], now: Session) => Session;

const shorten = (shrinking: Shrinking, session: Session, whole: VerifiedSession): Observable<Shrunk> => {
  const { deps, options, run, followed } = shrinking;
  const { failure, unstable } = followed;
  const index = toSessionIndex(session);
  const lines = optionalLines(index);
  const pick: PickLines = (lines, now) =>
    pickLines(session, index, { lines, unasked: unsolicitedLabels(toSessionIndex(now)) });
  const tryLines: TryItems<number, VerifiedSession> = (items, { now }) =>
    run(pick(items, now)).pipe(map((one) => (failuresOf(one, unstable).includes(failure) ? one : undefined)));
  return reduceList(lines, { runs: options.wholeRuns, result: whole, maxRuns: options.maxRuns }, tryLines).pipe(
    remarkShorter(deps.remark),
    takeUntil(deps.stop$),
    last(),
    map(({ reduction: { items }, runs, result: { results, now } }): Shrunk => {
      if (options.out !== undefined) writeNew(options.out, toTapeText(pick(items, now)));
      const left = withoutPlaces(results, unstable);
      return { kind: 'shrunk', before: lines.length, after: items.length, runs, results: left };
    }),
  );
};

const remarkShorter =
  (remark: (text: string) => void) =>
  <R>(trial$: Observable<Trial<number, R>>): Observable<Trial<number, R>> =>
    trial$.pipe(
      scan((before, trial) => {
        const left = trial.reduction.items.length;
        if (left < before.reduction.items.length)
          remark(`run ${trial.runs}: ${left === 1 ? '1 line is' : `${left} lines are`} left`);
        return trial;
      }),
    );
