import { EMPTY, map, merge, mergeMap, NEVER, type Observable, of, Subject, timer } from 'rxjs';
import * as z from 'zod/mini';
import { checkResult } from '../../../src/protocol/jsonrpc/checkParams';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { request, responseTo, resultOf } from '../../../src/protocol/rpc/request';
import { marbles } from '../../support/marbles';

type Response = { id: number | string; says: string };

const responses: Record<string, Response> = {
  y: { id: 0, says: 'yes' },
  n: { id: 0, says: 'no' },
  o: { id: 1, says: 'one' },
  s: { id: '0', says: 'other' },
};

/** Q and R are the requests 0 and 1; T, L, O what follows their responses. */
const out = { Q: 'request 0', R: 'request 1', T: 'then yes', L: 'then late', O: 'then one' };

const toRequest = (id: Response['id']) => `request ${id}`;

const then = ({ says }: Response) => of(`then ${says}`);

const counter = () => {
  let next = 0;
  return () => next++;
};

const requestOn = (response$: Observable<Response>, fallback?: (id: Response['id']) => Observable<Response>) =>
  request<Response>({ response$, newId: counter(), ...(fallback && { fallback }) });

describe('request', () => {
  it(
    'emits the request at once, then what follows its response, and passes over the others',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const response$ = hot('-s-o-y-n', responses);
      const expected = '   Q----(T|)';
      expectObservable(requestOn(response$)(toRequest, then)).toBe(expected, out);
      expectSubscriptions(response$.subscriptions).toBe('^----!');
    }),
  );

  it(
    'takes a response that comes while the request is still being emitted',
    marbles(({ expectObservable }) => {
      const response$ = new Subject<Response>();
      const sent$ = requestOn(response$)(toRequest, then);
      const peer$ = sent$.pipe(
        mergeMap((item) => {
          if (item === out.Q) response$.next(responses.y as Response);
          return of(item);
        }),
      );
      expectObservable(peer$).toBe('(TQ|)', out);
    }),
  );

  it(
    'has a new id with each subscription; 0 is an id',
    marbles(({ hot, expectObservable }) => {
      const response$ = hot(' -----o-y-|', responses);
      const expected = '    (QR)-O-(T|)';
      const sent$ = requestOn(response$)(toRequest, then);
      expectObservable(merge(sent$, sent$)).toBe(expected, out);
    }),
  );

  it(
    'completes with what follows',
    marbles(({ hot, cold, expectObservable }) => {
      const response$ = hot(' --y', responses);
      const next$ = cold('    -a-b|');
      const expected = '    Q--a-b|';
      expectObservable(requestOn(response$)(toRequest, () => next$)).toBe(expected, { ...out, a: 'a', b: 'b' });
    }),
  );

  it(
    'completes without a response when none can come any more',
    marbles(({ hot, expectObservable }) => {
      expectObservable(requestOn(hot('--o-|', responses))(toRequest, then)).toBe('Q---|', out);
      expectObservable(requestOn(hot('-----', responses))(toRequest, then)).toBe('Q----', out);
      expectObservable(requestOn(EMPTY)(toRequest, then)).toBe('(Q|)', out);
    }),
  );

  it(
    'takes the fallback in the place of a silent peer, and passes over a later response',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const late = (id: Response['id']) => timer(5).pipe(map(() => ({ id, says: 'late' })));
      const response$ = hot(' ------y--|', responses);
      const expected = '    Q----(L|)';
      expectObservable(requestOn(response$, late)(toRequest, then)).toBe(expected, out);
      expectSubscriptions(response$.subscriptions).toBe('^----!');
    }),
  );

  it(
    'unsubscribes the fallback when the response is there',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silence$ = cold<Response>('-----n', responses);
      const response$ = hot('          --y', responses);
      const expected = '             Q-(T|)';
      expectObservable(requestOn(response$, () => silence$)(toRequest, then)).toBe(expected, out);
      expectSubscriptions(silence$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'forgets the request when it is unsubscribed, and stops what follows',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const response$ = hot('  -----y', responses);
      expectObservable(requestOn(response$)(toRequest, then), '--!').toBe('Q', out);
      expectSubscriptions(response$.subscriptions).toBe('^-!');
      const next$ = cold<string>('-----|');
      expectObservable(
        requestOn(of(responses.y as Response))(toRequest, () => next$),
        '--!',
      ).toBe('Q', out);
      expectSubscriptions(next$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'errors with the responses, with what follows, and with what its functions throw',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw 'error';
      };
      expectObservable(requestOn(hot<Response>('--#'))(toRequest, then)).toBe('Q-#', out);
      expectObservable(requestOn(hot('--y', responses))(toRequest, fail)).toBe('Q-#', out);
      expectObservable(requestOn(NEVER)(fail, then)).toBe('#');
      expectObservable(request<Response>({ response$: NEVER, newId: fail })(toRequest, then)).toBe('#');
    }),
  );
});

const id = (value: unknown) => ({ id: value });

describe('responseTo', () => {
  it.each([
    ['passes the first with its id and completes', 0, '-o-s-a-a', '-----(a|)'],
    ['completes without one', 0, '-o-|', '---|'],
    ['waits', 0, '----', '----'],
    ['errors with the source', 0, '--#', '--#'],
    ['keeps text and number apart', '0', '-a-s', '---(s|)'],
  ])('%s', (_, own, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = { a: id(0), o: id(1), s: id('0') };
      expectObservable(hot(source, values).pipe(responseTo<{ id: unknown }>(own))).toBe(expected, values);
    })(),
  );
});

describe('resultOf', () => {
  it('gives the result, and that of ready-made text', () => {
    expect(resultOf({ kind: 'response', id: 1, result: { a: 1 } })).toEqual({ a: 1 });
    expect(resultOf({ kind: 'response', id: 1, json: '{"a":1}' })).toEqual({ a: 1 });
  });

  it('throws the error of the peer with its code and data', () => {
    const error = { code: -32600, message: 'no', data: { why: 1 } };
    expect(() => resultOf({ kind: 'response', id: 1, error })).toThrow(new RpcError(-32600, 'no', { why: 1 }));
  });
});

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
