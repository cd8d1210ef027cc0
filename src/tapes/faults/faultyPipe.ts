/** Connects a stream of the client with a stream of its server, and injects faults into the lines that pass. */
import type { Readable, Writable } from 'node:stream';
import {
  concatMap,
  connect,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  Subject,
  shareReplay,
  take,
  takeUntil,
} from 'rxjs';
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf } from '../../io/stdio/writeLines';
import { type Backpressure, joinBackpressure } from '../../streams/backpressure';
import { cutLines, toBytes } from '../format/recordSession';
import type { RecordedLine } from '../format/tape';
import { toTexts, withLength } from '../format/tapeLines';
import { clientLineName, type Faults, fateText, faultRow, serverLineName } from './faults';
import { applyFates, type Decided, decideFates, type FaultDeps, type FaultRemark } from './injectFaults';

/** A line that passes. */
export type PipedLine = RecordedLine & { kind: 'line' };

/** What a faulty pipe emits for its recorder. */
export type FaultyEvent =
  /** A line as its sender sent it, or a note; `injected` says what happened to it. */
  | { kind: 'sent'; recorded: RecordedLine }
  /** For the person who watches. */
  | { kind: 'fault'; text: string }
  /** A crash or an end took the place of a line; nothing follows. */
  | { kind: 'exited'; code: number; signal: null };

type FaultyDeps = {
  /** `in`: the lines of the client. */
  dir: 'in' | 'out';
  faults: Faults;
  seed: number;
  /** Once it emits, no line waits any more: whoever asks a recorder to end does not wait for its faults. */
  stop$: Observable<unknown>;
};

/** So much of a slow reader's output waits here, and so much of what is delayed. */
export const MAX_QUEUE_BYTES = 262_144;

/**
 * Passes the lines of `from` to `to`, with faults. While all lines wait, or many late copies do, nothing is read. Completes when `from` has ended
 * and the last line is handed to `to`, which stays open; at a crash or an end with `exited`.
 */
export const faultyPipe =
  (deps: FaultyDeps) =>
  (from: Readable, to: Writable): Observable<FaultyEvent> => {
    const gate = openGate();
    return fromReadable<Uint8Array>(from, joinBackpressure(backpressureOf(to, MAX_QUEUE_BYTES), gate)).pipe(
      cutLines(),
      concatMap((cut) => toTexts({ dir: deps.dir, ...cut })),
      map((recorded): PipedLine => ({ kind: 'line', ...recorded })),
      faultyLines(deps, gate.hold),
      mergeMap((event) => {
        if (event.kind !== 'line') return [event];
        if (to.writable) to.write(toBytes(withLength(event)));
        return [];
      }),
    );
  };

/**
 * Injects faults, and emits each line as it was sent, too. Completes with the source once all lines have come, at a crash or an end with `exited`.
 *   faults  xD
 *   in      a---b-----|
 *   out     (Af)(Bfbb)|    (A, B as they were sent, f remarks)
 */
export const faultyLines =
  (
    { dir, faults, seed, stop$ }: FaultyDeps,
    hold: FaultDeps<PipedLine>['hold'],
  ): OperatorFunction<PipedLine, FaultyEvent | PipedLine> =>
  (line$) => {
    const toName = dir === 'in' ? clientLineName : serverLineName;
    const nameOf = ({ line }: PipedLine, number: number) => toName(line, number);
    const stopped$ = stop$.pipe(take(1), shareReplay(1));
    return line$.pipe(
      decideFates(faultRow(faults, seed)),
      connect((decided$) =>
        merge(
          decided$.pipe(
            filter(({ fate }) => fate?.kind !== 'crash' && fate?.kind !== 'end'),
            map((decided): FaultyEvent => ({ kind: 'sent', recorded: toSent(decided) })),
          ),
          decided$.pipe(applyFates({ nameOf, hold, stopped$ }), concatMap(toEvents)),
          stopped$.pipe(ignoreElements(), takeUntil(decided$.pipe(ignoreElements(), endWith(undefined)))), // followed from the first line on
        ),
      ),
    );
  };

const toSent = ({ event: { kind: _kind, ...recorded }, fate }: Decided<PipedLine>): RecordedLine => {
  const injected = fate && fateText(fate);
  return injected === undefined ? recorded : { ...recorded, injected };
};

const toEvents = (event: PipedLine | FaultRemark): (FaultyEvent | PipedLine)[] => {
  if (event.kind !== 'crash' && event.kind !== 'end') return [event];
  const { text, kind } = event;
  const code = kind === 'crash' ? 1 : 0;
  return [
    { kind: 'fault', text },
    { kind: 'sent', recorded: { dir: 'note', line: text, injected: kind } },
    { kind: 'exited', code, signal: null },
  ];
};

/** Counts the bytes that wait; the source of the pipe stops while there are too many. */
export const openGate = (): Backpressure & { hold: FaultDeps<{ line: string }>['hold'] } => {
  let held = 0;
  const drain$ = new Subject<void>(); // the wire from a release to the source
  const isFull = () => held >= MAX_QUEUE_BYTES;
  const hold = ({ line }: { line: string }, what: 'whole' | 'copy') => {
    const bytes = what === 'whole' ? MAX_QUEUE_BYTES : line.length + LINE_BYTES;
    held += bytes;
    return () => {
      held -= bytes;
      if (!isFull()) drain$.next();
    };
  };
  return { isFull, drain$, hold };
};

/** What a waiting line takes besides its text. */
const LINE_BYTES = 1_024;
