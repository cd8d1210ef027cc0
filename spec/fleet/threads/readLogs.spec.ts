import { EMPTY, map, of } from 'rxjs';
import type { NatsConsumed, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { listLog, threadsAfter } from '../../../src/fleet/threads/readLogs';
import { factsAt, readLog } from '../../../src/fleet/threads/threadLog';
import { type ThreadPlace, toThreadHeaders } from '../../../src/fleet/threads/threadPlace';
import { nothingRead } from '../../../src/threads/lines/storedThread';
import type { ThreadSummary } from '../../../src/threads/listing/threadSummary';
import { marbles } from '../../support/marbles';
import { FACTS, placeWith, stored } from './doubles';

const facts = { ...FACTS, preview: 'hi' };

const headers = toThreadHeaders(facts, { host: 'h', pid: 1 });

const first = toThreadHeaders(FACTS, { host: 'h', pid: 1 });

const begin = (pending: number): NatsConsumed => ({ kind: 'begin', lastSeq: 9, pending });

/** Messages of a consumer; `a` shows that one more follows, `b` that none does, as a server that lags knows. */
const values: Record<string, NatsConsumed> = {
  s: begin(2),
  n: begin(0),
  a: { ...stored('one\n', 3, first), order: 1, pending: 1 },
  b: { ...stored('two\n', 5, first), order: 2, pending: 0 },
  x: { ...stored('of another', 6), order: 3, pending: 0 },
  y: { ...stored('of another', 6), order: 1, pending: 0 },
  c: { ...stored('three\n', 8, headers), order: 3, pending: 0, atMs: 7 },
};

/** Its lines are none of a rollout. */
const text = (head: string) => ({ lines: nothingRead(), head, isWhole: head !== '' });

const log = { ...text('one\ntwo\nthree\n'), seq: 8, known: { writtenMs: 7, facts } };

describe('readLog', () => {
  it.each([
    ['that follow', 's-a-b--c-', '-------(l|)'],
    ['of which the server that it reads from knows at first only a part', 's-a-b 5s c-', '----- 5s (l|)'],
    ['of which it knows none at first', 'n 5s (abc)', '- 5s (l|)'],
  ])('is all lines up to the last now, %s', (_, consumed, expected) =>
    marbles(({ cold, expectObservable }) => {
      const place = placeWith({ consume: () => cold(consumed, values), lastOf: () => cold('(c|)', values as never) });
      expectObservable(readLog(place, 'a')).toBe(expected, { l: log });
    })(),
  );

  it(
    'leaves out what is of no daemon, and goes on after it',
    marbles(({ cold, expectObservable }) => {
      const place = placeWith({ consume: () => cold('sabx', values), lastOf: () => cold('(x|)', values as never) });
      expectObservable(readLog(place, 'a')).toBe('---(l|)', {
        l: { ...text('one\ntwo\n'), seq: 6, known: { facts: FACTS, writtenMs: 0 } },
      });
    }),
  );

  it(
    'is empty for a thread that is not there',
    marbles(({ cold, expectObservable }) => {
      const place = placeWith({ lastOf: () => cold('-(u|)', { u: undefined }) });
      expectObservable(readLog(place, 'a')).toBe('-(l|)', { l: { ...text(''), seq: 0 } });
    }),
  );
});

describe('factsAt', () => {
  const foreign = stored('of another', 6);

  it(
    'are those of the last message, of which nothing else is read',
    marbles(({ expectObservable }) => {
      const last = { ...stored('', 8, headers), atMs: 7 };
      expectObservable(factsAt(placeWith({}), 'a', last)).toBe('(k|)', { k: { facts, writtenMs: 7 } });
    }),
  );

  it(
    'are those before it if whoever is no daemon wrote it, and none if there are none',
    marbles(({ cold, expectObservable }) => {
      const at = (consumed: string) =>
        placeWith({ consume: () => cold(consumed, values), lastOf: () => cold('(x|)', values as never) });
      expectObservable(factsAt(at('sabx'), 'a', foreign)).toBe('---(k|)', { k: { facts: FACTS, writtenMs: 0 } });
      expectObservable(factsAt(at('s-y'), 'a', foreign)).toBe('--|');
    }),
  );
});

describe('listLog', () => {
  const headersAt = (startedMs: number) => toThreadHeaders({ ...FACTS, startedMs }, { host: 'h', pid: 1 });

  const begin = (pending: number): NatsConsumed => ({ kind: 'begin', lastSeq: 9, pending });

  const last = (id: string, order: number, { headers = {}, pending = 0 } = {}): NatsStored => ({
    ...stored('', order, headers),
    subject: `threads.${id}`,
    order,
    pending,
  });

  /** The subjects are those that the leader knows. */
  const placeOf = (subjects: readonly string[], link: Partial<NatsLink>) => {
    const countMessages = () => of(Object.fromEntries(subjects.map((id) => [`threads.${id}`, 1])));
    return {
      ...placeWith({ countMessages, ...link }),
      subjects: 'threads',
      address: 'nats://h',
    } as unknown as ThreadPlace;
  };

  const idsIn = (place: ThreadPlace) => listLog(place).pipe(map((all) => all.map(({ id }) => id)));

  it(
    'has the newest thread first, and of one instant the greater id',
    marbles(({ cold, expectObservable }) => {
      const values = {
        b: begin(3),
        1: last('a', 1, { headers: headersAt(5), pending: 2 }),
        2: last('b', 2, { headers: headersAt(9), pending: 1 }),
        3: last('c', 3, { headers: headersAt(5) }),
      };
      const place = placeOf(['a', 'b', 'c'], { consume: () => cold<NatsConsumed>('-b-123', values) });
      expectObservable(idsIn(place)).toBe('-----(l|)', { l: ['b', 'c', 'a'] });
    }),
  );

  it(
    'has a thread of the last moment, which the server that it reads from does not know yet, and none that was removed meanwhile',
    marbles(({ cold, expectObservable, flush }) => {
      const asked: string[] = [];
      const place = placeOf(['a', 'b', 'gone'], {
        consume: () => cold<NatsConsumed>('b-3', { b: begin(1), 3: last('a', 1, { headers: headersAt(5) }) }),
        lastOf: (_, subject) => {
          asked.push(subject);
          const found = last('b', 1, { headers: headersAt(9) });
          return cold('-(m|)', { m: subject.endsWith('gone') ? undefined : found });
        },
      });
      expectObservable(idsIn(place)).toBe('---(l|)', { l: ['b', 'a'] });
      flush();
      expect(asked).toEqual(['threads.b', 'threads.gone']);
    }),
  );

  it(
    'asks for what a consumer loses that never reaches its end',
    marbles(({ cold, expectObservable }) => {
      const values = { b: begin(2), 3: last('a', 1, { headers: headersAt(5), pending: 1 }) };
      const place = placeOf(['a', 'lost'], {
        consume: () => cold<NatsConsumed>('b-3', values),
        lastOf: () => cold('-(m|)', { m: last('lost', 1, { headers: headersAt(9) }) }),
      });
      expectObservable(idsIn(place)).toBe('-- 2s -(l|)', { l: ['lost', 'a'] });
    }),
  );

  it(
    'leaves out a subject that no daemon has made',
    marbles(({ cold, expectObservable }) => {
      const values = { b: begin(2), 2: last('%zz', 1, { pending: 1 }), 3: last('a', 2, { headers: headersAt(5) }) };
      const place = placeOf([], { consume: () => cold<NatsConsumed>('b23', values), lastOf: () => EMPTY });
      expectObservable(idsIn(place)).toBe('--(l|)', { l: ['a'] });
    }),
  );

  it(
    'is empty if there are none',
    marbles(({ cold, expectObservable }) => {
      const place = placeOf([], { consume: () => cold<NatsConsumed>('-b', { b: begin(0) }) });
      expectObservable(idsIn(place)).toBe('-(l|)', { l: [] });
    }),
  );
});

describe('threadsAfter', () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const thread = (second: number, path = `nats://h/rollout-1970-01-01T00-00-0${second}-${id}.jsonl`) =>
    ({ path, startedMs: second * 1_000 + 500 }) as ThreadSummary;
  const all = [thread(3), thread(2), thread(1)];

  it.each([
    ['all without a path', undefined, all],
    ['those after it', all[0]?.path, all.slice(1)],
    ['older ones if it is gone', thread(2).path.replace('0.jsonl', '1.jsonl'), all.slice(2)],
    ['none after what is no thread', 'x', []],
  ])('are %s', (_, after, expected) => {
    expect(threadsAfter(all, after)).toEqual(expected);
  });
});
