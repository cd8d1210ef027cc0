import { map, type Observable } from 'rxjs';
import { readLog } from '../../src/natsThreads/readLog';
import { toThreadHeaders } from '../../src/natsThreads/threadFacts';
import type { NatsConsumed } from '../../src/transport/nats/natsLink';
import { marbles } from '../support/marbles';
import { FACTS, placeWith, stored } from './doubles';

const headers = toThreadHeaders({ ...FACTS, preview: 'hi' }, { host: 'h', pid: 1 });
const begin: NatsConsumed = { kind: 'begin', firstSeq: 1, lastSeq: 4, pending: 0 };
const values: Record<string, NatsConsumed> = {
  ...{
    b: begin,
    1: stored('a\n', 3),
    2: { ...stored('b', 4, headers), order: 2 },
    3: { ...stored('c\n', 5), order: 3 },
  },
};

describe('readLog', () => {
  it(
    'reads up to the last message of the leader, also where the server that is read has not got it yet',
    marbles(({ cold, expectObservable }) => {
      const place = placeWith({
        consume: () => cold('  b-1--2-3', values),
        lastOf: () => cold('  -(l|)', { l: stored('b', 4) }),
      });
      const log$ = readLog(place, 'a').pipe(map(({ text, seq, facts }) => [text, seq, facts.preview]));
      expectObservable(log$).toBe('------(r|)', { r: ['a\nb', 4, 'hi'] });
    }),
  );

  it(
    'is empty where there is no such thread',
    marbles(({ cold, expectObservable }) => {
      const place = placeWith({ lastOf: (): Observable<undefined> => cold('-(l|)', { l: undefined }) });
      expectObservable(readLog(place, 'a').pipe(map(({ text, seq }) => [text, seq]))).toBe('-(r|)', { r: ['', 0] });
    }),
  );
});
