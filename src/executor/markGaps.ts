/** The events of a process out of what a stream still has of them. */
import { map, type OperatorFunction, scan } from 'rxjs';
import type { ProcessEvent } from '../protocol/exec';
import { flatten } from '../streams';
import type { PlacedEvent } from './storedEvent';

/**
 * Emits each seq once, ascending. One that was emitted before is dropped, so a consumer may begin anew anywhere; what is missing was evicted, for a stream
 * has its messages in the order of `seq`: it is a `gap` with its bytes. An exit that was evicted is emitted in its place.
 *   in  1-2-2-1-5     (5 says that 9 bytes came before it, 1 and 2 have 4)
 *   out 1-2-----(g5)  (g a gap of 2 events, 5 bytes)
 */
export const markGaps = (): OperatorFunction<PlacedEvent, ProcessEvent> => (placed$) =>
  placed$.pipe(
    scan(follow, START),
    map(({ out }) => out),
    flatten(),
  );

type State = { seq: number; bytes: number; out: readonly ProcessEvent[] };
const START: State = { seq: 0, bytes: 0, out: [] };

const follow = (state: State, placed: PlacedEvent): State => {
  const { event, bytesBefore } = placed;
  if (event.seq <= state.seq) return { ...state, out: [] };
  const out = event.seq === state.seq + 1 ? [event] : [...missingBefore(state, placed), event];
  return { seq: event.seq, bytes: bytesBefore + (event.kind === 'output' ? event.chunk.length : 0), out };
};

const missingBefore = ({ seq, bytes }: State, { event, bytesBefore, exit }: PlacedEvent): ProcessEvent[] => {
  const last = event.seq - 1;
  if (exit === undefined || exit.seq <= seq || exit.seq > last) return gap(seq, last, bytesBefore - bytes);
  const before = gap(seq, exit.seq - 1, exit.seq === last ? bytesBefore - bytes : undefined);
  const behind = gap(exit.seq, last, before.length === 0 ? bytesBefore - bytes : undefined);
  return [...before, { kind: 'exited', ...exit }, ...behind];
};

/** The events after `from`, up to `to`. */
const gap = (from: number, to: number, missingBytes: number | undefined): ProcessEvent[] =>
  to <= from ? [] : [{ kind: 'gap', seq: to, missing: to - from, ...(missingBytes !== undefined && { missingBytes }) }];
