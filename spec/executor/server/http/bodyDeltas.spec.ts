import { inDeltas } from '../../../../src/executor/server/http/httpMethods';
import type { HttpPart } from '../../../../src/io/http/httpFetch';
import { INTERNAL_ERROR, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';

const parts: Record<string, HttpPart> = {
  h: { kind: 'head', status: 200, headers: [] },
  c: { kind: 'chunk', bytes: Buffer.from('c') },
};
const delta = (seq: number, deltaBase64: string, done = false, error: string | null = null) => ({
  kind: 'notification',
  method: 'http/request/bodyDelta',
  params: { requestId: 'r', seq, deltaBase64, done, error },
});
const output = {
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
      expectObservable(cold(input.trim(), parts, new Error('broken')).pipe(inDeltas('r'))).toBe(
        expected.trim(),
        output,
      );
    })(),
  );

  it(
    'errors where the request fails before its head',
    marbles(({ cold, expectObservable }) => {
      const error = new RpcError(INTERNAL_ERROR, 'http/request failed: refused');
      expectObservable(cold<HttpPart>('-#', {}, new Error('refused')).pipe(inDeltas('r'))).toBe('-#', {}, error);
    }),
  );

  it(
    'stops reading when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const part$ = cold('  -h-c-c-', parts);
      expectObservable(part$.pipe(inDeltas('r')), '----!').toBe('-R-D-', output);
      expectSubscriptions(part$.subscriptions).toBe('^---!');
    }),
  );
});
