import { EMPTY, NEVER, type Observable, of } from 'rxjs';
import type { NatsStored } from '../../../../src/fleet/link/natsLink';
import { getMessages } from '../../../../src/fleet/link/streams/natsConsumer';
import { NatsError } from '../../../../src/io/nats/natsAddress';
import { noBackpressure } from '../../../../src/streams/backpressure';
import { marbles } from '../../../support/marbles';

const stored = (seq: number, order = 1, pending = 0): NatsStored => ({
  kind: 'message',
  seq,
  subject: 's',
  data: new Uint8Array(),
  headers: {},
  atMs: 0,
  order,
  pending,
});
const begin = (pending: number) => ({ kind: 'begin', lastSeq: 9, pending });
const BEGIN = { from: 3, lastSeq: 9 };

type Cold = (row: string, values: Record<string, NatsStored | undefined>) => Observable<NatsStored | undefined>;
/** Answers with what is stored at a sequence or after it, a frame later; `asked` has the sequences. */
const storeOf = (cold: Cold, ...seqs: number[]) => {
  const asked: number[] = [];
  const next = (seq: number) => {
    asked.push(seq);
    const found = seqs.find((one) => one >= seq);
    return cold('-(n|)', { n: found === undefined ? undefined : stored(found) });
  };
  return { asked, next };
};

describe('getMessages', () => {
  it(
    'emits the begin and what is stored, in order; the last has none behind it',
    marbles(({ cold, expectObservable, flush }) => {
      const { asked, next } = storeOf(cold, 1, 4, 7);
      expectObservable(getMessages({ next, backpressure: noBackpressure }, BEGIN), '10ms !').toBe('-bac', {
        b: begin(1),
        a: stored(4, 1, 1),
        c: stored(7, 2, 0),
      });
      flush();
      expect(asked).toEqual([3, 5, 8]);
    }),
  );

  it(
    'asks twice a second for what comes',
    marbles(({ expectObservable }) => {
      const answers = [undefined, undefined, stored(5), undefined];
      const next = () => of(answers.shift()) as Observable<NatsStored | undefined>;
      expectObservable(getMessages({ next, backpressure: noBackpressure }, BEGIN), '1200ms !').toBe('b 999ms a', {
        b: begin(0),
        a: stored(5, 1, 0),
      });
    }),
  );

  it(
    'errors with what passes after half a minute without a message',
    marbles(({ expectObservable }) => {
      const deps = { next: () => of(undefined), backpressure: noBackpressure };
      const fault = new NatsError('timeout', 'reading message by message: a consumer is tried again');
      expectObservable(getMessages(deps, BEGIN)).toBe('b 29999ms #', { b: begin(0) }, fault);
    }),
  );

  it(
    'waits half a minute again after each message',
    marbles(({ expectObservable }) => {
      const answers = [undefined, undefined, stored(5)];
      const next = () => of(answers.shift());
      const fault = new NatsError('timeout', 'reading message by message: a consumer is tried again');
      const row = 'b 999ms a 29999ms #';
      expectObservable(getMessages({ next, backpressure: noBackpressure }, BEGIN)).toBe(
        row,
        { b: begin(0), a: stored(5, 1, 0) },
        fault,
      );
    }),
  );

  it(
    'asks for no more while its reader is full',
    marbles(({ cold, expectObservable, flush }) => {
      const { asked, next } = storeOf(cold, 4, 7);
      const full = (drain$: Observable<unknown>) =>
        getMessages({ next, backpressure: { isFull: () => true, drain$ } }, BEGIN);
      expectObservable(full(NEVER)).toBe('-b', { b: begin(1) });
      flush();
      expect(asked).toEqual([3]);
    }),
  );

  it(
    'goes on when the reader has drained',
    marbles(({ cold, expectObservable }) => {
      const { next } = storeOf(cold, 4);
      const backpressure = { isFull: () => true, drain$: cold('---d', {}) };
      expectObservable(getMessages({ next, backpressure }, BEGIN), '10ms !').toBe('-b---a', {
        b: begin(1),
        a: stored(4, 1, 0),
      });
      expectObservable(getMessages({ next, backpressure: { isFull: () => true, drain$: EMPTY } }, BEGIN), '9ms !').toBe(
        '-ba',
        { b: begin(1), a: stored(4, 1, 0) },
      );
    }),
  );

  it(
    'errors as the server does',
    marbles(({ cold, expectObservable }) => {
      const next = () => cold<undefined>('-#');
      expectObservable(getMessages({ next, backpressure: noBackpressure }, BEGIN)).toBe('-#');
    }),
  );
});
