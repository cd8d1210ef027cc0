/** Puts the events of a process in order (`inOrder`), and finds events that a stream no longer has (`markGaps`). */
import { concat, map, type OperatorFunction, of, scan } from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import { mapMany } from '../../streams/gather';
import type { PlacedEvent } from '../backend';
import { type Hole, isInHole, isLagged, LAGGED, type Lagged } from './recoverLag';

/** How many events may be buffered; then the missing event counts as lost. */
const MAX_BUFFERED = 1024;

/**
 * Passes events by ascending `seq` from 1. An early event is buffered until all events before it arrived; a repeated event is dropped.
 * A `lagged` is passed, then all buffered events, even with gaps between them; the next new event is passed with any number.
 * At the end of the source, or with more than `maxBuffered` events, the buffer is emitted too, after a `lagged`. `recoverLag` deals with the missing events.
 *   in  1-3-2-2-5-L---|     (L lagged)
 *   out 1---(23)--(L5)|
 * Source: codex exec-server 0.130.0 to 0.169.0 send up to 6 of 1000 notifications out of order.
 */
export const inOrder =
  <T extends { kind: string; seq: number }>({
    maxBuffered = MAX_BUFFERED,
  } = {}): OperatorFunction<T | Lagged, T | Lagged> =>
  (item$) =>
    concat(item$.pipe(map((item) => ({ item }))), of(END)).pipe(
      scan(
        (at: State<T>, { item }): State<T> => {
          if (item === undefined) return at.buffered.size > 0 ? release(at) : { ...at, out: [] };
          if (isLagged(item)) return { ...release(at), isAnyNext: true };
          return arrive(at, item, maxBuffered);
        },
        START as State<T>,
      ),
      mapMany(({ out }) => out),
    );

const END = { item: undefined };

type State<T> = {
  /** The lowest number that was not emitted. */
  next: number;
  /** The next new event is passed with any number. */
  isAnyNext: boolean;
  /** Events that arrived early, by number. */
  buffered: ReadonlyMap<number, T>;
  out: (T | Lagged)[];
};
const START = { next: 1, isAnyNext: false, buffered: new Map<number, never>(), out: [] };

const release = <T extends { seq: number }>({ next, buffered }: State<T>): State<T> => {
  const waiting = [...buffered.values()].sort((a, b) => a.seq - b.seq);
  const after = (waiting.at(-1)?.seq ?? next - 1) + 1;
  return { next: after, isAnyNext: false, buffered: new Map(), out: [LAGGED, ...waiting] };
};

const arrive = <T extends { seq: number }>(at: State<T>, item: T, maxBuffered: number): State<T> => {
  if (item.seq < at.next || at.buffered.has(item.seq)) return { ...at, out: [] };
  if (at.isAnyNext || (item.seq === at.next && at.buffered.size === 0)) {
    return { next: item.seq + 1, isAnyNext: false, buffered: at.buffered, out: [item] };
  }
  const buffered = new Map(at.buffered).set(item.seq, item);
  if (buffered.size > maxBuffered) return release({ ...at, buffered });
  const out: T[] = [];
  let { next } = at;
  for (let found = buffered.get(next); found; found = buffered.get(next)) {
    buffered.delete(next);
    out.push(found);
    next += 1;
  }
  return { next, isAnyNext: false, buffered, out };
};

/**
 * Emits each seq once, ascending. A repeated event is dropped, so a consumer may restart anywhere. A stream has its messages in the order of `seq`, so missing
 * events were evicted: they become a `gap` with their size in bytes. An evicted exit is emitted in its place.
 * Errors if the events contradict each other: more are missing than the missing bytes allow, or an event arrives that counted as evicted. Otherwise a forged
 * event with a number far ahead would silence the process.
 *   in  1-2-2-1-5     (5 says that 9 bytes came before it, 1 and 2 have 4)
 *   out 1-2-----(g5)  (g a gap of 2 events, 5 bytes)
 */
export const markGaps = (): OperatorFunction<PlacedEvent, ProcessEvent> => (placed$) =>
  placed$.pipe(
    scan(mark, UNMARKED),
    mapMany(({ out }) => out),
  );

type Marking = {
  /** The last number. */
  seq: number;
  /** How many bytes of output there were up to it. */
  bytes: number;
  /** The last hole; undefined if there was none. */
  hole: Hole | undefined;
  out: readonly ProcessEvent[];
};
const UNMARKED: Marking = { seq: 0, bytes: 0, hole: undefined, out: [] };

const mark = (state: Marking, placed: PlacedEvent): Marking => {
  const { event, bytesBefore } = placed;
  if (isInHole(state.hole, event.seq)) throw contradiction(`event ${event.seq} came after a later one`);
  if (event.seq <= state.seq) return { ...state, out: [] };
  const bytes = bytesBefore + (event.kind === 'output' ? event.chunk.length : 0);
  if (event.seq === state.seq + 1) return { seq: event.seq, bytes, hole: state.hole, out: [event] };
  const hole = { from: state.seq + 1, to: event.seq - 1 };
  return { seq: event.seq, bytes, hole, out: [...missingBefore(state, placed), event] };
};

const contradiction = (what: string): Error =>
  new Error(
    `the stored events of the process contradict each other (${what}): let only its executor publish to their subject`,
  );

const missingBefore = ({ seq, bytes }: Marking, { event, bytesBefore, exit }: PlacedEvent): ProcessEvent[] => {
  const last = event.seq - 1;
  const atMost = bytesBefore - bytes + 1; // each output has a byte, and there is one exit
  if (last - seq > atMost)
    throw contradiction(
      `${last - seq} events before event ${event.seq} are missing, with ${bytesBefore - bytes} bytes`,
    );
  if (exit === undefined || exit.seq <= seq || exit.seq > last) return gap(seq, last, bytesBefore - bytes);
  const before = gap(seq, exit.seq - 1, exit.seq === last ? bytesBefore - bytes : undefined);
  const behind = gap(exit.seq, last, before.length === 0 ? bytesBefore - bytes : undefined);
  return [...before, { kind: 'exited', ...exit }, ...behind];
};

/** The events after `from`, up to `to`. */
const gap = (from: number, to: number, missingBytes: number | undefined): ProcessEvent[] =>
  to <= from ? [] : [{ kind: 'gap', seq: to, missing: to - from, ...(missingBytes !== undefined && { missingBytes }) }];
