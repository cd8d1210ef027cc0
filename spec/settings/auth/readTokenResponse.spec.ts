import type { HttpResponse } from '../../../src/io/http/httpRequest';
import { readTokenResponse } from '../../../src/settings/auth/readTokenResponse';
import { marbles } from '../../support/marbles';

const answer = (body$: HttpResponse['body$']): HttpResponse => ({ status: 200, statusText: 'OK', headers: {}, body$ });
const read = (json: object) => ({ r: { status: 200, statusText: 'OK', json } });
const values = { a: '{"x"', b: ':1}', h: '<html>', m: ' '.repeat(1_048_577) };

describe('readTokenResponse', () => {
  it(
    'emits the JSON of a body once it is over, none of what is no JSON, and of nothing',
    marbles(({ cold, expectObservable }) => {
      expectObservable(readTokenResponse(answer(cold('-a-b-|', values)))).toBe('-----(r|)', read({ x: 1 }));
      expectObservable(readTokenResponse(answer(cold('-h---|', values)))).toBe('-----(r|)', read({}));
      expectObservable(readTokenResponse(answer(cold('-----|', values)))).toBe('-----(r|)', read({}));
    }),
  );

  it(
    'reads no further in a body that is too long, which may have no end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('                -a-m-b--', values);
      const expected = '                  ---(r|)';
      expectObservable(readTokenResponse(answer(body$))).toBe(expected, read({}));
      expectSubscriptions(body$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'waits for a body that is silent, errors with one that breaks, and leaves it early',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('-a---', values);
      expectObservable(readTokenResponse(answer(cold('---', values)))).toBe('---');
      expectObservable(readTokenResponse(answer(cold('-a-#', values)))).toBe('---#');
      expectObservable(readTokenResponse(answer(body$)), '--!').toBe('--');
      expectSubscriptions(body$.subscriptions).toBe('^-!');
    }),
  );
});
