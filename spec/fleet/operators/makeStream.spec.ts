import { of } from 'rxjs';
import type { NatsStreamFacts, NatsStreamSpec } from '../../../src/fleet/link/natsLink';
import { makeStream } from '../../../src/fleet/operators/appendAfter';
import { marbles } from '../../support/marbles';

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
