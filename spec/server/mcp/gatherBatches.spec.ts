import type { Outgoing } from '../../../src/protocol/jsonrpc/messages';
import { gatherBatches } from '../../../src/server/mcp/gatherBatches';
import { marbles } from '../../support/marbles';

const two = { size: 2 };
const one = { size: 1 };
const response = (id: number, batch?: { size: number }) => ({ kind: 'response' as const, id, batch, json: '{}' });

const messages: Record<string, Outgoing> = {
  r: response(0),
  a: response(1, two),
  b: response(2, two),
  c: response(3, one),
  s: { kind: 'noResponse', batch: two },
  t: { kind: 'noResponse' },
  n: { kind: 'notification', method: 'n', params: {} },
};
const gathered = {
  R: messages.r,
  N: messages.n,
  A: { kind: 'answers', responses: [messages.a, messages.b] },
  B: { kind: 'answers', responses: [messages.b] },
  C: { kind: 'answers', responses: [messages.c] },
};

describe('gatherBatches', () => {
  it(
    'sends the responses of a batch as one when the last is there, and all else at once',
    marbles(({ hot, expectObservable }) => {
      const message$ = hot(' a-n-r-c-b-|', messages);
      const expected = '     --N-R-C-A-|';
      expectObservable(message$.pipe(gatherBatches())).toBe(expected, gathered);
    }),
  );

  it(
    'counts a cancelled request, which has no response',
    marbles(({ hot, expectObservable }) => {
      const message$ = hot(' t-s-b-|', messages);
      const expected = '     ----B-|';
      expectObservable(message$.pipe(gatherBatches())).toBe(expected, gathered);
      const empty$ = hot('   s-s-|', messages);
      expectObservable(empty$.pipe(gatherBatches())).toBe('----|');
    }),
  );

  it(
    'keeps the batches of two subscribers apart, and errors with its source',
    marbles(({ cold, expectObservable }) => {
      const message$ = cold('a-b-#', messages).pipe(gatherBatches());
      expectObservable(message$).toBe('--A-#', gathered);
      expectObservable(message$).toBe('--A-#', gathered);
    }),
  );
});
