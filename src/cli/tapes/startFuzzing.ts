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
import { changeableCalls, type FuzzedSession, type FuzzSource, fuzzSession } from '../../tapes/fuzz/fuzzSession';
import { offersReader } from '../../tapes/offers/offers';
import { wholePart } from '../../tapes/session/readParts';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { EndedBy } from '../../tapes/sessions/playSession';
import type { TapeChoice } from '../replay/serveTape';
import {
  type Found,
  type FoundFault,
  type FuzzOptions,
  type Played,
  playOnce,
  type ShrinkDeps,
  type Shrinking,
  type Shrunk,
  shrinkUntilStop,
} from './shrinkFault';

/** What was found. */
export type FuzzReport = {
  /** How many were played. */
  runs: number;
  /** Why there were fewer than planned: a signal, or each call that can be changed ends the server. Default: there were not, or faults enough. */
  end?: 'interrupted' | 'exhausted';
  /** How many changed requests were sent. */
  changes: number;
  faults: readonly FoundFault[];
  /** Faults that the tape itself has. */
  known: readonly ServerFault[];
};

type FuzzDeps = LoadDeps &
  ShrinkDeps & {
    /** Called after each run. */
    onRun: (report: FuzzReport) => void;
  };

type Fuzzing = Shrinking & { deps: FuzzDeps; source: FuzzSource };

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
      return playOnce(fuzzing, session).pipe(
        takeUntil(deps.stop$),
        tap(({ now, faults }) => {
          for (const { kind, what, text } of faults) deps.remark(`without a change: ${kind}: ${what}: ${text}`);
          if (toSessionIndex(now).calls.every(({ from, response }) => from !== 'client' || response === undefined))
            throw new TapeError('The server responds to no request of the tape without a change; check its command');
        }),
        concatMap((unchanged) => reportUnchanged(fuzzing, session, unchanged)),
        concatMap((report) => tryRuns(fuzzing, report)),
      );
    }),
  );

/** Faults that need no change. What the tape has too is known; the others are as bad as after a change. */
const reportUnchanged = (fuzzing: Fuzzing, session: Session, { now, faults }: Played): Observable<FuzzReport> => {
  const recorded = new Set(
    findFaults(toSessionIndex(session), endOfTape(toSessionIndex(session))).map(({ key }) => key),
  );
  const known = faults.filter(({ key }) => recorded.has(key));
  const before: FuzzReport = { runs: 0, changes: 0, faults: [], known };
  const found = faults.filter((fault) => isNew(before, fault)).map((fault) => ({ fault, now, run: 0 }));
  return addFaults(fuzzing, { session, changes: new Map() }, { before, found });
};

/** Whose end a recorded session is. */
const endOfTape = ({ exit, inputEnded = Number.POSITIVE_INFINITY }: SessionIndex): EndedBy =>
  exit !== undefined && exit.signal === null && exit.entry < inputEnded ? 'server' : 'client';

const tryRuns = (fuzzing: Fuzzing, first: FuzzReport): Observable<FuzzReport> => {
  const { options, deps } = fuzzing;
  return of(first).pipe(
    expand(({ end, ...report }) =>
      end === undefined && report.runs < options.runs && report.faults.length < MAX_FAULTS
        ? tryOnce(fuzzing, report)
        : EMPTY,
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
  if (calls.length === 0) return of({ ...report, end: 'exhausted' });
  const chosen = Array.from({ length: CHANGES }, () => random.pick(calls as [(typeof calls)[0]]));
  const fuzzed = fuzzSession(random, source, chosen);
  const before: FuzzReport = { ...report, runs: run, changes: report.changes + chosen.length };
  return playOnce(fuzzing, fuzzed.session).pipe(
    takeUntil(fuzzing.deps.stop$),
    concatMap(({ now, faults }) => {
      const found = faults.filter((fault) => isNew(report, fault)).map((fault) => ({ fault, now, run }));
      return addFaults(fuzzing, fuzzed, { before, found });
    }),
    defaultIfEmpty<FuzzReport, FuzzReport>({ ...report, end: 'interrupted' }),
  );
};

/** The report with further faults, each shrunk. */
const addFaults = (
  fuzzing: Fuzzing,
  fuzzed: FuzzedSession,
  { before, found }: { before: FuzzReport; found: readonly Found[] },
): Observable<FuzzReport> =>
  from(found).pipe(
    concatMap((one) => shrinkUntilStop(fuzzing, fuzzed, one)),
    reduce((all, fault) => ({ ...all, faults: [...all.faults, keep(fuzzing, fault, all.faults.length)] }), before),
  );

const isNew = ({ known, faults }: FuzzReport, { key }: ServerFault): boolean =>
  ![...known, ...faults].some((one) => one.key === key);

/** Writes the tape of a fault: `fault.jsonl`, `fault-2.jsonl` and so on. */
const keep = ({ options: { out } }: Fuzzing, { found, now }: Shrunk, before: number): FoundFault => {
  if (out === undefined) return found;
  const tape = before === 0 ? out : `${out.replace(/\.jsonl$/, '')}-${before + 1}.jsonl`;
  writeNew(tape, toTapeText(now));
  return { ...found, tape };
};
