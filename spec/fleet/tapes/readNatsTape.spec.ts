import { map, of } from 'rxjs';
import type { NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { followNatsTape, readNatsTape } from '../../../src/fleet/tapes/readNatsTape';
import { toWriteHeaders } from '../../../src/fleet/tapes/tapeWrites';
import { marbles } from '../../support/marbles';

type Consumed = ReturnType<NatsLink['consume']>;
const link = (consumed$: unknown, lastSeq?: number) => ({
  prefix: 'p',
  consume: () => consumed$ as Consumed,
  lastOf: () => of(lastSeq === undefined ? undefined : ({ seq: lastSeq } as NatsStored)),
});

const stored = (order: number, at: number, text: string, pending: number): NatsStored => ({
  kind: 'message',
  seq: order,
  order,
  pending,
  subject: 's',
  atMs: 0,
  data: new Uint8Array(Buffer.from(text)),
  headers: toWriteHeaders({ at, bytes: new Uint8Array() }, 0),
});
const values = {
  b: { kind: 'begin', lastSeq: 3, pending: 3 },
  e: { kind: 'begin', lastSeq: 9, pending: 0 },
  x: stored(1, 0, 'ab\n', 2),
  y: stored(2, 3, 'cd\n', 1),
  w: stored(3, 0, 'XY', 0),
  z: stored(2, 5, 'ef', 1),
};
const text = map((bytes: Uint8Array) => Buffer.from(bytes).toString());

describe('readNatsTape', () => {
  it(
    'emits the tape as a file would have it, with its last message, whatever the consumer knows to follow',
    marbles(({ cold, expectObservable }) => {
      const early = { ...values, y: { ...values.y, pending: 0 } };
      const consumed$ = cold('b-x-y-w--', early);
      expectObservable(readNatsTape(link(consumed$, 3), 'n').pipe(text)).toBe('------(T|)', { T: 'XY\ncd\n' });
    }),
  );

  it(
    'passes over messages of whoever is no recorder',
    marbles(({ cold, expectObservable }) => {
      const foreign = { ...stored(3, 0, '{"type":"response"}', 0), headers: {} };
      const odd = { ...stored(3, 0, '{}', 0), headers: { 'Codex-Rx-At': '-1' } };
      for (const y of [foreign, odd]) {
        const consumed$ = cold('b-x-y', { ...values, x: { ...values.x, pending: 1 }, y: { ...y, seq: 2, order: 2 } });
        expectObservable(readNatsTape(link(consumed$, 2), 'n').pipe(text)).toBe('----(T|)', { T: 'ab\n' });
        expectObservable(followNatsTape(link(consumed$), 'n').pipe(text)).toBe('--T--', { T: 'ab\n' });
      }
    }),
  );

  it(
    'errors if there is no such tape, and if a part is missing',
    marbles(({ cold, expectObservable }) => {
      const none = expect.objectContaining({ kind: 'absent', message: expect.stringContaining('there is no tape n') });
      expectObservable(readNatsTape(link(cold('--e', values)), 'n')).toBe('#', {}, none);
      const missing = expect.objectContaining({ message: expect.stringContaining('bytes 3 to 4 are missing') });
      expectObservable(readNatsTape(link(cold('b-x-z', values), 2), 'n')).toBe('----#', {}, missing);
    }),
  );

  it(
    'errors at a name that is none',
    marbles(({ cold, expectObservable }) => {
      expectObservable(readNatsTape(link(cold('-')), '')).toBe('#', {}, expect.objectContaining({ kind: 'address' }));
    }),
  );
});

describe('followNatsTape', () => {
  it(
    'emits bytes as they come, without what is written once more, and goes on',
    marbles(({ cold, expectObservable }) => {
      const consumed$ = cold('b-x-y-w----', values);
      const bytes$ = followNatsTape(link(consumed$), 'n').pipe(text);
      expectObservable(bytes$).toBe('--X-Y------', { X: 'ab\n', Y: 'cd\n' });
    }),
  );

  it(
    'errors if a part is missing',
    marbles(({ cold, expectObservable }) => {
      const missing = expect.objectContaining({ name: 'MissingBytes' });
      expectObservable(followNatsTape(link(cold('b-x-z', values)), 'n').pipe(text)).toBe(
        '--X-#',
        { X: 'ab\n' },
        missing,
      );
    }),
  );
});
