/** Plays a tape with changed requests against a server, again and again, and shrinks each fault to a tape. */
import {
  concatMap,
  defaultIfEmpty,
  EMPTY,
  expand,
  from,
  last,
  map,
  type Observable,
  of,
  reduce,
  takeUntil,
  tap,
} from 'rxjs';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { checkNew, toTapeText, writeNew } from '../../app/tapes/writeFiles';
import { randomOf } from '../../streams/random';
import { type Session, TapeError } from '../../tapes/format/tape';
import { findFaults, type ServerFault } from '../../tapes/fuzz/findFaults';
import {
  type Change,
  changeableCalls,
  type FuzzedSession,
  type FuzzSource,
  fuzzSession,
  shrinkChange,
  withChange,
} from '../../tapes/fuzz/fuzzSession';
import { offersReader } from '../../tapes/offers/offers';
import { wholePart } from '../../tapes/session/readParts';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { ServerDeps } from '../../tapes/sessions/toServer';
import { playOn } from '../../tapes/sessions/verifySession';
import { optionalLines, pickLines } from '../../tapes/shrink/pickLines';
import { reduceList, type TryItems } from '../../tapes/shrink/reduceList';
import type { TapeChoice } from '../replay/serveTape';

/** How a server is tried. */
type FuzzOptions = {
  command: readonly string[];
  limitMs: number;
  seed: number;
  /** How often the command is started with changed requests. */
  runs: number;
  /** How often the command is started at most to shrink one fault. */
  maxRuns: number;
  /** A new file for the tape of the first fault; those of further faults get numbers. */
  out?: string;
};

/** A fault, and where it was found. */
export type FoundFault = Omit<ServerFault, 'id'> & {
  run: number;
  /** The changed request that brings it about; undefined if none does alone. */
  change?: Pick<Change, 'label' | 'text' | 'fits'>;
  /** How many lines the client sends until then, besides the handshake. */
  lines: number;
  /** The tape of it. */
  tape?: string;
};

/** What was found. */
export type FuzzReport = {
  runs: number;
  /** How many changed requests were sent. */
  changes: number;
  faults: readonly FoundFault[];
  /** Faults that the tape shows without a change. */
  known: readonly ServerFault[];
};

type FuzzDeps = LoadDeps &
  ServerDeps & {
    /** Emits once, also to a late subscriber, if the search is to end. */
    stop$: Observable<unknown>;
    /** Called after each run. */
    onRun: (report: FuzzReport) => void;
  };

/**
 * Plays the session as it is, then changed. Emits the report after all runs, or at `stop$`. Errors with TapeError if nothing can be changed, or if
 * the server responds to nothing that can be.
 */
export const startFuzzing = (deps: FuzzDeps, choice: TapeChoice, options: FuzzOptions): Observable<FuzzReport> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((loaded) => checkWhole(loaded, choice.allow)),
    tap(() => checkNew([options.out])),
    concatMap((session) => {
      const index = toSessionIndex(session);
      if (changeableCalls(index).length === 0)
        throw new TapeError(`${choice.path} has no request that can be changed: it needs a call with a response`);
      const offers = offersReader();
      offers.add(wholePart(index));
      const fuzzing = { deps, options, source: { index, offers: offers.end() } };
      return play(fuzzing, session).pipe(
        tap(({ now, faults }) => {
          for (const { kind, what, text } of faults) deps.remark(`without a change: ${kind}: ${what}: ${text}`);
          if (changeableCalls(toSessionIndex(now)).length === 0)
            throw new TapeError('The server responds to no request of the tape without a change; check its command');
        }),
        concatMap((known) => tryRuns(fuzzing, known.faults)),
      );
    }),
  );

type Fuzzing = { deps: FuzzDeps; options: FuzzOptions; source: FuzzSource };

type Played = { now: Session; faults: readonly ServerFault[] };

const play = ({ deps, options }: Fuzzing, session: Session): Observable<Played> =>
  playOn(deps, session, { ...options, pace: 'max' }).pipe(
    map(({ endedBy, ...now }) => ({ now, faults: findFaults(toSessionIndex(now), endedBy) })),
  );

const tryRuns = (fuzzing: Fuzzing, known: readonly ServerFault[]): Observable<FuzzReport> => {
  const { options, deps } = fuzzing;
  return of<FuzzReport>({ runs: 0, changes: 0, faults: [], known }).pipe(
    expand((report) =>
      report.runs < options.runs && report.faults.length < MAX_FAULTS ? tryOnce(fuzzing, report) : EMPTY,
    ),
    tap(deps.onRun),
    last(),
  );
};

/** With so many faults, a server has to be repaired first. */
const MAX_FAULTS = 50;

/** How many requests are changed in a run. */
const CHANGES = 10;

/** A call that ended the server, or that it did not respond to, is not changed again: it would hide what comes after it. */
const END: readonly string[] = ['crash', 'hang', 'flood'];

const tryOnce = (fuzzing: Fuzzing, report: FuzzReport): Observable<FuzzReport> => {
  const { options, source } = fuzzing;
  const run = report.runs + 1;
  const random = randomOf(options.seed * 1_000_003 + run);
  const ended = report.faults.filter(({ kind }) => END.includes(kind)).map(({ what }) => what);
  const calls = changeableCalls(source.index).flatMap(({ call, label }) => (ended.includes(label) ? [] : [call]));
  const chosen = Array.from({ length: calls.length === 0 ? 0 : CHANGES }, () =>
    random.pick(calls as [(typeof calls)[0]]),
  );
  const fuzzed = fuzzSession(random, source, chosen);
  const before = { ...report, runs: chosen.length === 0 ? options.runs : run, changes: report.changes + chosen.length };
  if (chosen.length === 0) return of(before);
  return play(fuzzing, fuzzed.session).pipe(
    takeUntil(fuzzing.deps.stop$),
    concatMap(({ now, faults }) =>
      from(faults.filter((fault) => isNew(report, fault))).pipe(
        concatMap((fault) => shrinkUntilStop(fuzzing, fuzzed, { fault, now, run })),
        reduce((all, fault) => ({ ...all, faults: [...all.faults, keep(fuzzing, fault, all.faults.length)] }), before),
      ),
    ),
  );
};

const isNew = ({ known, faults }: FuzzReport, { key }: ServerFault): boolean =>
  ![...known, ...faults].some((one) => one.key === key);

type Shrunk = { found: FoundFault; now: Session };

type Found = { fault: ServerFault; now: Session; run: number };

/** A fault that is found is reported also if the search ends meanwhile: then with all lines. */
const shrinkUntilStop = (fuzzing: Fuzzing, fuzzed: FuzzedSession, given: Found): Observable<Shrunk> => {
  const { id, ...fault } = given.fault;
  const lines = optionalLines(toSessionIndex(fuzzed.session)).length;
  return shrinkFault(fuzzing, fuzzed, given).pipe(
    takeUntil(fuzzing.deps.stop$),
    defaultIfEmpty({ found: { ...fault, run: given.run, lines }, now: given.now }),
  );
};

/** First with fewer lines, then with smaller values in the changed request. */
const shrinkFault = (
  fuzzing: Fuzzing,
  { session, changes }: FuzzedSession,
  { fault: { id, ...fault }, now, run }: Found,
): Observable<Shrunk> => {
  const { deps, options } = fuzzing;
  const index = toSessionIndex(session);
  const own = optionalLines(index).filter((line) =>
    index.clientLines[line]?.messages.some((one) => one.kind === 'request' && one.id === id),
  );
  const pick = (lines: readonly number[]): Session => pickLines(session, index, { lines });
  const trySession = (one: Session): Observable<Session | undefined> =>
    play(fuzzing, one).pipe(
      map((played) => (played.faults.some(({ key }) => key === fault.key) ? played.now : undefined)),
    );
  deps.remark(`run ${run}: ${fault.kind}: ${fault.what}`);
  return shrinkLines({ all: optionalLines(index), own, now }, (lines) => trySession(pick(lines)), options.maxRuns).pipe(
    concatMap(({ lines, now, runs }) => {
      const change = lines.includes(own[0] ?? -1) ? changes.get(Number(id)) : undefined;
      const found = { ...fault, run, lines: lines.length };
      if (change === undefined) return of({ found, now });
      const tryChange = (one: Change) => trySession(withChange(pick(lines), id, one));
      return shrinkChange({ change, now, runs }, tryChange, options.maxRuns).pipe(
        map(({ change: { label, text, fits }, now }) => {
          return { found: { ...found, change: { label, text, ...(fits !== undefined && { fits }) } }, now };
        }),
      );
    }),
  );
};

type Shorter = { lines: readonly number[]; now: Session; runs: number };

/** Tries the changed request alone with the handshake first, which is enough for most faults. */
const shrinkLines = (
  { all, own, now }: { all: readonly number[]; own: readonly number[]; now: Session },
  tryLines: TryItems<number, Session>,
  maxRuns: number,
): Observable<Shorter> =>
  tryLines(own, now).pipe(
    concatMap((alone) =>
      alone !== undefined
        ? of({ lines: own, now: alone, runs: 1 })
        : reduceList(all, { runs: 1, result: now, maxRuns }, tryLines).pipe(
            last(),
            map(({ reduction, result, runs }) => ({ lines: reduction.items, now: result, runs })),
          ),
    ),
  );

/** Writes the tape of a fault: `fault.jsonl`, `fault-2.jsonl` and so on. */
const keep = ({ options: { out } }: Fuzzing, { found, now }: Shrunk, before: number): FoundFault => {
  if (out === undefined) return found;
  const tape = before === 0 ? out : `${out.replace(/\.jsonl$/, '')}-${before + 1}.jsonl`;
  writeNew(tape, toTapeText(now));
  return { ...found, tape };
};
