import { EMPTY, map, of } from 'rxjs';
import type { NatsConsumed, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { listLog } from '../../../src/fleet/threads/readLogs';
import { toThreadHeaders } from '../../../src/fleet/threads/threadFacts';
import type { ThreadPlace } from '../../../src/fleet/threads/threadPlace';
import { marbles } from '../../support/marbles';
import { FACTS, placeWith, stored } from './doubles';

const headersAt = (startedMs: number) => toThreadHeaders({ ...FACTS, startedMs }, { host: 'h', pid: 1 });
const begin = (pending: number): NatsConsumed => ({ kind: 'begin', firstSeq: 1, lastSeq: 9, pending });
const last = (id: string, order: number, { headers = {}, pending = 0 } = {}): NatsStored => ({
  ...stored('', order, headers),
  ...{ subject: `threads.${id}`, order, pending },
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

describe('listLog', () => {
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
    'is empty where there are none',
    marbles(({ cold, expectObservable }) => {
      const place = placeOf([], { consume: () => cold<NatsConsumed>('-b', { b: begin(0) }) });
      expectObservable(idsIn(place)).toBe('-(l|)', { l: [] });
    }),
  );
});
