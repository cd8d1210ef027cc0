import { of } from 'rxjs';
import * as z from 'zod/mini';
import { method, notification, results } from '../../../src/executor/server/method';
import { marbles } from '../../support/marbles';

describe('method', () => {
  const sized = method(
    () => z.object({ size: z.number() }),
    ({ size }) => results(of(size)),
  );

  it(
    'runs with params that fit the schema',
    marbles(({ expectObservable }) => {
      expectObservable(sized({ size: 3, more: 1 })).toBe('(r|)', { r: { kind: 'result', result: 3 } });
    }),
  );

  it('throws for others before it runs', () => {
    expect(() => sized({})).toThrow('missing field `size`');
  });
});

describe('results', () => {
  it(
    'makes a result of each value',
    marbles(({ cold, expectObservable }) => {
      const value$ = cold('-a-b-#');
      const toValue = (value: string) => ({ value });
      expectObservable(results(value$, toValue)).toBe('-a-b-#', {
        a: { kind: 'result', result: { value: 'a' } },
        b: { kind: 'result', result: { value: 'b' } },
      });
    }),
  );
});

describe('notification', () => {
  it('has a name and params', () => {
    expect(notification('a/b', { c: 1 })).toEqual({ kind: 'notification', method: 'a/b', params: { c: 1 } });
  });
});
