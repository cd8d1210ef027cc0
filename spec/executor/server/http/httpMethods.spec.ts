import { httpMethods, inDeltas, toCall } from '../../../../src/executor/server/http/httpMethods';
import type { HttpCall, HttpPart } from '../../../../src/io/http/httpFetch';
import { INTERNAL_ERROR, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';

const parts: Record<string, HttpPart> = {
  h: { kind: 'head', status: 201, headers: [{ name: 'a', value: 'b' }] },
  c: { kind: 'chunk', bytes: Buffer.from('c') },
  d: { kind: 'chunk', bytes: Buffer.from('d') },
  m: { kind: 'chunk', bytes: { length: 268_435_456 } as Uint8Array },
};
const head = { status: 201, headers: [{ name: 'a', value: 'b' }] };
const output = {
  W: { kind: 'result', result: { ...head, bodyBase64: 'Y2Q=' } },
  R: { kind: 'result', result: { ...head, bodyBase64: '' } },
};
const params = { requestId: 'r', method: 'GET', url: 'http://h/', headers: [] };
const failed = (message: string) => new RpcError(INTERNAL_ERROR, `http/request failed: ${message}`);
const TOO_LONG = failed('the body has more than 268435456 bytes; stream it');
const LATE = failed('Timeout has occurred');

describe('httpMethods', () => {
  it.each<[string, object, string, string, RpcError | undefined]>([
    ['answers with the whole body', {}, '-h-c-d-|', '-------(W|)', undefined],
    ['fails where the body breaks', {}, '-h-c-#', '-----#', failed('broken')],
    ['fails where the body is too long for one message', {}, '-h-c-m', '-----#', TOO_LONG],
    ['fails where the whole body is late', { timeoutMs: 5 }, '-h-c---d|', '-----#', LATE],
    ['is not late with the last byte', { timeoutMs: 9 }, '-h-c---d|', '--------(W|)', undefined],
    [
      'streams the body behind the head, however late',
      { streamResponse: true, timeoutMs: 5 },
      '---h',
      '---R',
      undefined,
    ],
    ['fails where the head is late', { streamResponse: true, timeoutMs: 2 }, '---h', '--#', LATE],
    ['waits for ever without a limit', { timeoutMs: null }, '1m h|', '1m -(R|)', undefined],
  ])('%s', (_, own, response, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const fetch = () => cold(response, parts, new Error('broken'));
      const run = httpMethods({ fetch })['http/request'];
      expectObservable(run?.({ ...params, ...own }) ?? cold('')).toBe(expected, output, error);
    })(),
  );

  it(
    'sends the request of its params, and ends it when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const calls: HttpCall[] = [];
      const part$ = cold<HttpPart>('-');
      const fetch = (call: HttpCall) => {
        calls.push(call);
        return part$;
      };
      expectObservable(httpMethods({ fetch })['http/request']?.(params) ?? cold(''), '^--!').toBe('-');
      expectSubscriptions(part$.subscriptions).toBe('^--!');
      flush();
      expect(calls).toEqual([expect.objectContaining({ method: 'GET', url: 'http://h/', headers: [] })]);
    }),
  );
});

const streamed: Record<string, HttpPart> = {
  h: { kind: 'head', status: 200, headers: [] },
  c: { kind: 'chunk', bytes: Buffer.from('c') },
};
const delta = (seq: number, deltaBase64: string, done = false, error: string | null = null) => ({
  kind: 'notification',
  method: 'http/request/bodyDelta',
  params: { requestId: 'r', seq, deltaBase64, done, error },
});
const deltas = {
  R: { kind: 'result', result: { status: 200, headers: [], bodyBase64: '' } },
  D: delta(1, 'Yw=='),
  E: delta(2, 'Yw=='),
  F: delta(3, '', true),
  G: delta(1, '', true),
  X: delta(2, '', true, 'broken'),
};

describe('inDeltas', () => {
  it.each([
    ['numbers the chunks, and ends with an empty delta', '-h-c-c-|', '-R-D-E-(F|)'],
    ['ends at once without a body', '             -h|     ', '-R(G|)     '],
    ['ends with the error of a broken body', '    -h-c-#  ', '-R-D-(X|)  '],
    ['sends nothing where nothing comes', '       -       ', '-          '],
  ])('%s', (_, input, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(input.trim(), streamed, new Error('broken')).pipe(inDeltas('r'))).toBe(
        expected.trim(),
        deltas,
      );
    })(),
  );

  it(
    'errors if the request fails before its head',
    marbles(({ cold, expectObservable }) => {
      const error = new RpcError(INTERNAL_ERROR, 'http/request failed: refused');
      expectObservable(cold<HttpPart>('-#', {}, new Error('refused')).pipe(inDeltas('r'))).toBe('-#', {}, error);
    }),
  );

  it(
    'stops reading when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const part$ = cold('  -h-c-c-', streamed);
      expectObservable(part$.pipe(inDeltas('r')), '----!').toBe('-R-D-', deltas);
      expectSubscriptions(part$.subscriptions).toBe('^---!');
    }),
  );
});

const call = { method: 'POST', url: 'https://h/' };

describe('toCall', () => {
  it('reads a request', () => {
    const headers = [{ name: 'a', value: 'b' }];
    expect(toCall({ ...call, headers, bodyBase64: 'aGk=', redirectPolicy: 'stop' })).toEqual({
      ...call,
      headers,
      redirects: 'stop',
      body: Buffer.from('hi'),
    });
    expect(toCall({ ...call, headers: null })).toEqual({ ...call, headers: [], redirects: 'follow' });
  });

  it.each([
    [{ url: 'no' }, 'http/request URL is invalid: no'],
    [{ url: 'file:///etc/passwd' }, 'http/request only supports http and https URLs, got file'],
    [{ method: 'A B' }, 'http/request method is invalid: A B'],
    [{ headers: [{ name: 'a b', value: '' }] }, 'http/request header is invalid: a b'],
    [{ headers: [{ name: 'a', value: 'x\r\nb: c' }] }, 'http/request header is invalid: a'],
    [{ bodyBase64: 'a' }, 'Invalid padding'],
  ])('refuses %j', (own, message) => {
    expect(() => toCall({ ...call, ...own })).toThrow(message);
  });
});
