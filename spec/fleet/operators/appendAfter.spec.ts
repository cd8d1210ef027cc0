import { type Observable, of } from 'rxjs';
import type {
  NatsAppend,
  NatsAppended,
  NatsStored,
  NatsStreamFacts,
  NatsStreamSpec,
} from '../../../src/fleet/link/natsLink';
import { appendAfter, makeStream } from '../../../src/fleet/operators/appendAfter';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const message: NatsAppend = { subject: 'a', data: new Uint8Array([1]), id: 'm', expectSubjectSeq: 5 };
const stored = (seq: number, id: string): NatsStored => ({
  kind: 'message',
  seq,
  subject: 'a',
  data: new Uint8Array(),
  headers: { 'Nats-Msg-Id': id },
  atMs: 0,
  order: 1,
  pending: 0,
});
const values = { a: { seq: 6, isDuplicate: false }, d: { seq: 6, isDuplicate: true } };
const conflict = new NatsError('conflict', 'wrong last sequence');
const taken = new Error('taken');
const beingStored = new NatsError('timeout', 'writing to s: the message is being stored');

/** A stream with these responses; what it was asked, and the last messages that count as another's. */
const world = (appended$: Observable<NatsAppended>, last$: Observable<NatsStored | undefined>) => {
  const asked: unknown[] = [];
  const link = {
    append: (one: NatsAppend) => {
      asked.push(one);
      return appended$;
    },
    lastOf: (...subject: string[]) => {
      asked.push(subject);
      return last$;
    },
  };
  const takenBy: unknown[] = [];
  const append = appendAfter({
    link,
    stream: 's',
    taken: (last) => {
      takenBy.push(last);
      return taken;
    },
  });
  return { append, asked, takenBy };
};

describe('appendAfter', () => {
  it(
    'emits the sequence at which the stream has the message, without a look at the subject',
    marbles(({ cold, expectObservable, flush }) => {
      const { append, asked } = world(cold('--(a|)', values), cold('#'));
      expectObservable(append(message)).toBe('--(a|)', values);
      flush();
      expect(asked).toEqual([message]);
    }),
  );

  it(
    'knows its own message, which an attempt before has stored',
    marbles(({ cold, expectObservable, flush }) => {
      const appended$ = cold<never>('-#', {}, conflict);
      const last$ = cold('            --(l|)', { l: stored(6, 'm') });
      const { append, asked } = world(appended$, last$);
      expectObservable(append(message)).toBe('---(d|)', values);
      flush();
      expect(asked).toEqual([message, ['s', 'a']]);
    }),
  );

  it.each([
    ['behind another', message, stored(5, 'l')],
    ['as the first of its subject', { ...message, expectSubjectSeq: 0 }, undefined],
  ])('errors with what passes while a cluster is storing an attempt before, %s', (_, one, last) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { append, takenBy } = world(cold<never>('-#', {}, conflict), cold('-(l|)', { l: last }));
      expectObservable(append(one)).toBe('--#', {}, beingStored);
      flush();
      expect(takenBy).toEqual([]);
    })(),
  );

  it.each([
    ['has written', stored(7, 'x')],
    ['has removed the subject', undefined],
  ])('errors where another %s', (_, last) =>
    marbles(({ cold, expectObservable, flush }) => {
      const { append, takenBy } = world(cold<never>('-#', {}, conflict), cold('-(l|)', { l: last }));
      expectObservable(append(message)).toBe('--#', {}, taken);
      flush();
      expect(takenBy).toEqual([last]);
    })(),
  );

  it(
    'takes no message without an id for its own',
    marbles(({ cold, expectObservable }) => {
      const last$ = cold('-(l|)', { l: { ...stored(7, ''), headers: {} } });
      const { id: _, ...unnamed } = message;
      const { append } = world(cold<never>('-#', {}, conflict), last$);
      expectObservable(append(unnamed)).toBe('--#', {}, taken);
    }),
  );

  it(
    'passes other errors on, also of the look at the subject',
    marbles(({ cold, expectObservable }) => {
      const full = new NatsError('full', 'full');
      expectObservable(world(cold<never>('-#', {}, full), cold('#')).append(message)).toBe('-#', {}, full);
      const late = new NatsError('timeout', 'late');
      const { append } = world(cold<never>('-#', {}, conflict), cold<never>('--#', {}, late));
      expectObservable(append(message)).toBe('---#', {}, late);
    }),
  );

  it(
    'unsubscribes from the look at the subject',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const last$ = cold<undefined>('-');
      const { append } = world(cold<never>('-#', {}, conflict), last$);
      expectObservable(append(message), '---!').toBe('-');
      expectSubscriptions(last$.subscriptions).toBe('-^-!');
    }),
  );
});

const facts = { name: 's' } as NatsStreamFacts;

/** A server; `made` has what it is to make. */
const server = () => {
  const made: NatsStreamSpec[] = [];
  const ensureStream = (spec: NatsStreamSpec) => {
    made.push(spec);
    return of(facts);
  };
  return { made, link: { ensureStream } };
};

describe('makeStream', () => {
  it(
    'makes a stream without limits, which refuses what it has no room for',
    marbles(({ expectObservable, flush }) => {
      const { made, link } = server();
      expectObservable(makeStream(link)({ name: 's', subject: 's.*', description: 'd' })).toBe('(f|)', { f: facts });
      flush();
      expect(made).toEqual([
        {
          name: 's',
          subjects: ['s.*'],
          description: 'd',
          maxBytes: 0,
          maxAgeMs: 0,
          discard: 'new',
          replicas: 1,
        },
      ]);
    }),
  );
});
