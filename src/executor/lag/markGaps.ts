/** Rebuilds the events of a process from those that a stream still has. */
import type { OperatorFunction } from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import { gather } from '../../streams/gather';
import type { PlacedEvent } from '../storedEvent';
import { type Hole, isInHole } from './hole';

/**
 * Emits each seq once, ascending. A repeated event is dropped, so a consumer may restart anywhere. A stream has its messages in the order of `seq`, so missing
 * events were evicted: they become a `gap` with their size in bytes. An evicted exit is emitted in its place.
 * Errors where the events contradict each other: more are missing than the missing bytes allow, or one arrives that counted as evicted. Otherwise a forged
 * event with a number far ahead would silence the process.
 *   in  1-2-2-1-5     (5 says that 9 bytes came before it, 1 and 2 have 4)
 *   out 1-2-----(g5)  (g a gap of 2 events, 5 bytes)
 */
export const markGaps = (): OperatorFunction<PlacedEvent, ProcessEvent> =>
  gather((emit) => {
    let state = START;
    return {
      next: (placed) => {
        state = follow(state, placed);
        for (const event of state.out) emit(event);
      },
    };
  });

/** `hole`: the last one. */
type State = { seq: number; bytes: number; hole: Hole | undefined; out: readonly ProcessEvent[] };
const START: State = { seq: 0, bytes: 0, hole: undefined, out: [] };

const follow = (state: State, placed: PlacedEvent): State => {
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

const missingBefore = ({ seq, bytes }: State, { event, bytesBefore, exit }: PlacedEvent): ProcessEvent[] => {
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
