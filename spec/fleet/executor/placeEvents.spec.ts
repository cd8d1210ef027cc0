import type { StoredEvent } from '../../../src/executor/storedEvent';
import { fromBatch, placeEvents, toBatch } from '../../../src/fleet/executor/eventMessage';
import { closed, exited, output } from '../../executor/events';
import { marbles } from '../../support/marbles';

const events: Record<string, StoredEvent> = {
  o: output(1, 'ten bytes.') as StoredEvent,
  p: output(2, 'four') as StoredEvent,
  x: exited(3, 5) as StoredEvent,
  z: closed(4) as StoredEvent,
};
const exit = { seq: 3, exitCode: 5 };
const placed = {
  o: { event: events.o, bytesBefore: 0 },
  p: { event: events.p, bytesBefore: 10 },
  x: { event: events.x, bytesBefore: 14 },
  z: { event: events.z, bytesBefore: 14, exit },
};

describe('placeEvents', () => {
  it(
    'adds the bytes before each event, and the exit before it',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-o-(px)-z|', events).pipe(placeEvents())).toBe('-o-(px)-z|', placed);
      expectObservable(hot('--|', events).pipe(placeEvents())).toBe('--|');
      expectObservable(hot('-o#', events).pipe(placeEvents())).toBe('-o#', placed);
    }),
  );
});

describe('toBatch', () => {
  it('makes one message of events, out of which fromBatch gets their places again', () => {
    const all = Object.values(placed) as Parameters<typeof toBatch>[0];
    expect(toBatch(all)).toEqual({ events: Object.values(events), bytesBefore: 0 });
    expect(fromBatch(toBatch(all))).toEqual(all);
    expect(fromBatch(toBatch(all.slice(3)))).toEqual(all.slice(3));
  });
});
