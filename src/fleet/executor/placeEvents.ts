/** Where each event of a process stands: the bytes of output before it, and the exit before it. */
import type { OperatorFunction } from 'rxjs';
import type { Exit, PlacedEvent, StoredEvent } from '../../executor/storedEvent';
import { type Accumulated, mapAccum } from '../../streams/gather';
import type { EventBatch } from './eventMessage';

/**
 * Adds its place to each event.
 *   in  o-o-x-z     (o 10 bytes of output, x exited, z closed)
 *   out a-b-c-d     (a after 0 bytes, b after 10, c after 20, d after 20 and the exit)
 */
export const placeEvents = (): OperatorFunction<StoredEvent, PlacedEvent> => mapAccum(place, START);

type State = { bytes: number; exit: Exit | undefined };
const START: State = { bytes: 0, exit: undefined };

const place = ({ bytes, exit }: State, event: StoredEvent): Required<Accumulated<State, PlacedEvent>> => ({
  state: {
    bytes: bytes + (event.kind === 'output' ? event.chunk.length : 0),
    exit: event.kind === 'exited' ? { seq: event.seq, exitCode: event.exitCode } : exit,
  },
  output: exit === undefined ? { event, bytesBefore: bytes } : { event, bytesBefore: bytes, exit },
});

/** Consecutive events as one message. */
export const toBatch = (placed: readonly PlacedEvent[]): EventBatch => {
  const { bytesBefore = 0, exit } = placed[0] ?? {};
  return { events: placed.map(({ event }) => event), bytesBefore, ...(exit && { exit }) };
};

/** The events of a message with their places. */
export const fromBatch = ({ events, bytesBefore, exit }: EventBatch): PlacedEvent[] => {
  let state: State = { bytes: bytesBefore, exit };
  return events.map((event) => {
    const { state: next, output } = place(state, event);
    state = next;
    return output;
  });
};
