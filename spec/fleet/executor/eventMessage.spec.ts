import fc from 'fast-check';
import type { StoredEvent } from '../../../src/executor/backend';
import {
  decodeEvents,
  type EventBatch,
  encodeEvents,
  fromBatch,
  placeEvents,
  toBatch,
} from '../../../src/fleet/executor/eventMessage';
import { closed, exited, output } from '../../executor/events';
import { marbles } from '../../support/marbles';

const stored = (...events: unknown[]) => events as StoredEvent[];

const plain = ({ events, ...rest }: EventBatch) => ({
  ...rest,
  events: events.map((event) => (event.kind === 'output' ? { ...event, chunk: [...event.chunk] } : event)),
});

const anyEvent = fc.oneof(
  fc
    .record({ stream: fc.constantFrom('stdout', 'stderr', 'pty'), chunk: fc.uint8Array({ maxLength: 20 }) })
    .map((own) => ({
      kind: 'output',
      ...own,
    })),
  fc.integer({ min: -1, max: 255 }).map((exitCode) => ({ kind: 'exited', exitCode })),
  fc.constant({ kind: 'closed' }),
);

const anyBatch = fc
  .record({
    first: fc.integer({ min: 1, max: 2 ** 40 }),
    bytesBefore: fc.integer({ min: 0, max: 2 ** 50 }),
    events: fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
    exit: fc.option(
      fc.record({ seq: fc.integer({ min: 1, max: 2 ** 40 }), exitCode: fc.integer({ min: -1, max: 255 }) }),
    ),
  })
  .map(({ first, events, exit, ...rest }) => ({
    ...rest,
    events: events.map((event, i) => ({ ...event, seq: first + i })) as StoredEvent[],
    ...(exit && { exit }),
  }));

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

describe('encodeEvents', () => {
  it('has the bytes as they are, and one line about them', () => {
    const events = stored(output(7, 'out'), output(8, 'err!', 'stderr'), exited(9, 3), closed(10));
    const { header, pieces } = encodeEvents({ events, bytesBefore: 40 });
    expect([header, Buffer.concat(pieces).toString()]).toEqual(['7 40 o3,e4,x3,c', 'outerr!']);
    expect(encodeEvents({ events: stored(closed(10)), bytesBefore: 47, exit: { seq: 9, exitCode: 3 } }).header).toBe(
      '10 47 c 9:3',
    );
  });

  it('is read back by decodeEvents', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const { header, pieces } = encodeEvents(batch);
        expect(plain(decodeEvents(header, Buffer.concat(pieces)))).toEqual(plain(batch));
      }),
    );
  });
});

describe('decodeEvents', () => {
  it('throws on any other header, and one that does not fit the bytes', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        fc.pre(!/^\d+ \d+ [oepxc]/.test(header));
        expect(() => decodeEvents(header, Buffer.alloc(3))).toThrow('a message of events has the invalid header');
      }),
    );
    for (const header of ['9007199254740993 0 c', '1 9007199254740993 c', '2 0 c 9007199254740993:0'])
      expect(() => decodeEvents(header, Buffer.alloc(0))).toThrow('a message of events has the invalid header');
    expect(() => decodeEvents('1 0 o4', Buffer.alloc(3))).toThrow('fewer bytes');
    expect(() => decodeEvents('1 0 o2', Buffer.alloc(3))).toThrow('more bytes');
  });
});

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
