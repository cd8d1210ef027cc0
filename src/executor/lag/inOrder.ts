/** Restores the order of events that arrive late, early or twice. */
import { concat, map, type OperatorFunction, of, scan } from 'rxjs';
import { flatten } from '../../streams/gather';
import { isLagged, LAGGED, type Lagged } from './lagged';

/** How many events may wait for one that is missing; then it is taken for lost. */
const MAX_HELD = 1024;

/**
 * Passes events by ascending `seq` from 1; one that is too early waits for those before it, one that came before is dropped.
 * A `lagged` passes, then all events that wait, whatever is missing between them; the next new event passes whatever its number.
 * The end of the source, or more than `maxBuffered` waiting, releases them too, with a `lagged` first. `recoverLag` deals with
 * what is missing.
 *   in  1-3-2-2-5-L---|     (L lagged)
 *   out 1---(23)--(L5)|
 * Source: codex exec-server 0.130.0 to 0.169.0 send up to 6 of 1000 notifications out of order.
 */
export const inOrder =
  <T extends { kind: string; seq: number }>({
    maxBuffered = MAX_HELD,
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
      map(({ out }) => out),
      flatten(),
    );

const END = { item: undefined };

/** `isAnyNext`: the next new event passes whatever its number. */
type State<T> = { next: number; isAnyNext: boolean; buffered: ReadonlyMap<number, T>; out: (T | Lagged)[] };
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
  let next = at.next;
  for (let found = buffered.get(next); found; found = buffered.get(next)) {
    buffered.delete(next);
    out.push(found);
    next += 1;
  }
  return { next, isAnyNext: false, buffered, out };
};
