import { readBody } from '../../../src/agent/modelHttp/readBody';
import { marbles } from '../../support/marbles';

describe('readBody', () => {
  it.each([
    ['joins the pieces', 'a-b-|', '    ----(C|)', { C: 'ab' }],
    ['emits an empty text for an empty body', '--|', '--(C|)', { C: '' }],
    ['reads a broken body as far as it came', 'a-b-#', '----(C|)', { C: 'ab' }],
    ['ends with the piece that makes it full', 'a-b-c-d-|', '----(C|)', { C: 'abc' }],
    ['reads for 10 s', 'a-b-------', '10s (C|)', { C: 'ab' }],
  ])('%s', (_, body, expected, values) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(body).pipe(readBody(3))).toBe(expected, values);
    })(),
  );

  it(
    'lets the body go, when it is full and when nobody reads',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const full$ = cold('a-b-c-d-|');
      const left$ = cold('a-b-c-d-|');
      expectObservable(full$.pipe(readBody(3))).toBe('----(C|)', { C: 'abc' });
      expectObservable(left$.pipe(readBody(3)), '--!').toBe('---');
      expectSubscriptions(full$.subscriptions).toBe('^---!');
      expectSubscriptions(left$.subscriptions).toBe('^-!');
    }),
  );
});
