/** Shrinks a fault of a server: fewer requests, then smaller values, each tried on a new process. */
import { concatMap, defaultIfEmpty, last, map, type Observable, of, takeUntil } from 'rxjs';
import type { LoadDeps } from '../../app/tapes/loadTape';
import type { Session } from '../../tapes/format/tape';
import { findFaults, type ServerFault } from '../../tapes/fuzz/findFaults';
import { type Change, type FuzzedSession, shrinkChange, withChange } from '../../tapes/fuzz/fuzzSession';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { ServerDeps } from '../../tapes/sessions/toServer';
import { playOn } from '../../tapes/sessions/verifySession';
import { optionalLines, pickLines } from '../../tapes/shrink/pickLines';
import { reduceList, type TryItems } from '../../tapes/shrink/reduceList';

/** How a server is tried. */
export type FuzzOptions = {
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
  /** From 1; 0 if it needs no change. */
  run: number;
  /** The changed request that brings it about; undefined if none does alone. */
  change?: Pick<Change, 'label' | 'text' | 'fits'>;
  /** How many lines the client sends until then, besides the handshake. */
  lines: number;
  /** The tape of it. */
  tape?: string;
};

/** What starts servers. */
export type ShrinkDeps = Pick<LoadDeps, 'remark'> &
  ServerDeps & {
    /** Emits once, also to a late subscriber, if the search is to end. */
    stop$: Observable<unknown>;
  };

/** What plays sessions, and with what. */
export type Shrinking = { deps: ShrinkDeps; options: FuzzOptions };

/** A session, and its faults. */
export type Played = { now: Session; faults: readonly ServerFault[] };

/** Plays a session. Emits once, and completes. */
export const playOnce = ({ deps, options }: Shrinking, session: Session): Observable<Played> =>
  playOn(deps, session, { ...options, pace: 'max' }).pipe(
    map(({ endedBy, ...now }) => ({ now, faults: findFaults(toSessionIndex(now), endedBy) })),
  );

/** A fault, and the session that shows it, shrunk. */
export type Shrunk = { found: FoundFault; now: Session };

/** A fault as it was found. */
export type Found = { fault: ServerFault; now: Session; run: number };

/** A fault that is found is reported also if the search ends meanwhile: then with all lines. */
export const shrinkUntilStop = (fuzzing: Shrinking, fuzzed: FuzzedSession, given: Found): Observable<Shrunk> => {
  const { id, ...fault } = given.fault;
  const lines = optionalLines(toSessionIndex(fuzzed.session)).length;
  return shrinkFault(fuzzing, fuzzed, given).pipe(
    takeUntil(fuzzing.deps.stop$),
    defaultIfEmpty({ found: { ...fault, run: given.run, lines }, now: given.now }),
  );
};

/** First with fewer lines, then with smaller values in the changed request. */
const shrinkFault = (
  fuzzing: Shrinking,
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
    playOnce(fuzzing, one).pipe(
      map((played) => (played.faults.some(({ key }) => key === fault.key) ? played.now : undefined)),
    );
  if (run > 0) deps.remark(`run ${run}: ${fault.kind}: ${fault.what}`);
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
