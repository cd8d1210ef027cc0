import { decodeMessages } from '../../../src/protocol/jsonrpc/decodeMessage';
import type { Message } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';

const line = {
  r: '{"jsonrpc":"2.0","id":1,"method":"m"}',
  n: ' {"jsonrpc":"2.0","method":"m"}',
  y: '{"jsonrpc":"2.0","id":1,"result":{}}',
  b: '[]',
  x: 'no',
  e: '',
  w: ' \t ',
};
const message: Record<string, Message> = {
  R: { kind: 'request', id: 1, method: 'm', params: {} },
  N: { kind: 'notification', method: 'm', params: {} },
  Y: { kind: 'response', id: 1, result: {} },
  B: { kind: 'fault', id: null, code: -32600, message: 'Invalid Request: an empty batch' },
  X: { kind: 'fault', id: null, code: -32700, message: expect.stringMatching(/^Parse error: /) },
};

describe('decodeMessages', () => {
  it(
    'emits a message per line, a fault for a line that is none, nothing for a blank one',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -r-n-y-b-x-e-w-r-|', line);
      const expected = '   -R-N-Y-B-X-----R-|';
      expectObservable(line$.pipe(decodeMessages())).toBe(expected, message);
    }),
  );

  it(
    'is never, empty and failing as its source is, and stops when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<string>('---').pipe(decodeMessages())).toBe('---');
      expectObservable(cold<string>('--|').pipe(decodeMessages())).toBe('--|');
      expectObservable(hot('-r-#', line).pipe(decodeMessages())).toBe('-R-#', message);
      const line$ = hot('-r-r', line);
      expectObservable(line$.pipe(decodeMessages()), '--!').toBe('-R', message);
      expectSubscriptions(line$.subscriptions).toBe('^-!');
    }),
  );
});
