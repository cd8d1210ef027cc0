import { readAnswer } from '../../src/auth/readAnswer';
import type { HttpResponse } from '../../src/transport';
import { marbles } from '../support/marbles';

const answer = (body$: HttpResponse['body$']): HttpResponse => ({ status: 200, statusText: 'OK', headers: {}, body$ });
const read = (json: object) => ({ r: { status: 200, statusText: 'OK', json } });
const values = { a: '{"x"', b: ':1}', h: '<html>', m: ' '.repeat(1_048_577) };

describe('readAnswer', () => {
  it(
    'emits the JSON of a body once it is over, none of what is no JSON, and of nothing',
    marbles(({ cold, expectObservable }) => {
      expectObservable(readAnswer(answer(cold('-a-b-|', values)))).toBe('-----(r|)', read({ x: 1 }));
      expectObservable(readAnswer(answer(cold('-h---|', values)))).toBe('-----(r|)', read({}));
      expectObservable(readAnswer(answer(cold('-----|', values)))).toBe('-----(r|)', read({}));
    }),
  );

  it(
    'reads no further in a body that is too long, which may have no end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('                -a-m-b--', values);
      const expected = '                  ---(r|)';
      expectObservable(readAnswer(answer(body$))).toBe(expected, read({}));
      expectSubscriptions(body$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'waits for a body that is silent, errors with one that breaks, and leaves it early',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('-a---', values);
      expectObservable(readAnswer(answer(cold('---', values)))).toBe('---');
      expectObservable(readAnswer(answer(cold('-a-#', values)))).toBe('---#');
      expectObservable(readAnswer(answer(body$)), '--!').toBe('--');
      expectSubscriptions(body$.subscriptions).toBe('^-!');
    }),
  );
});
