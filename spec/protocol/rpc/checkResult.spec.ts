import * as z from 'zod/mini';
import { checkResult } from '../../../src/protocol/rpc/checkResult';
import { marbles } from '../../support/marbles';

const schema = () => z.object({ id: z.string() });

describe('checkResult', () => {
  it.each<[string, unknown, string, unknown]>([
    ['gives the members that the schema has', { id: 'a', more: 1 }, '-V|', { id: 'a' }],
    [
      'errors for a wrong member, with its path',
      { id: 1 },
      '-#',
      new Error("the peer's result cannot be read: result.id must be a string, not a number"),
    ],
    [
      'errors for what is not an object',
      'text',
      '-#',
      new Error("the peer's result cannot be read: result must be an object, not a string"),
    ],
  ])('%s', (_, result, expected, value) =>
    marbles(({ cold, expectObservable }) => {
      const result$ = cold('-r|', { r: result });
      const out$ = result$.pipe(checkResult(schema, "the peer's result"));
      expectObservable(out$).toBe(expected, { V: value }, value);
    })(),
  );

  it('is transparent to an end, an error and a throwing schema', () =>
    marbles(({ cold, expectObservable }) => {
      const fail = (): never => {
        throw 'error';
      };
      expectObservable(cold('--|').pipe(checkResult(schema, 'r'))).toBe('--|');
      expectObservable(cold('--#').pipe(checkResult(schema, 'r'))).toBe('--#');
      expectObservable(cold('--r').pipe(checkResult(fail, 'r'))).toBe('--#');
    })());
});
