import type { Observable } from 'rxjs';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import type { Command } from '../../../src/server/mcp/command';
import { toCommands } from '../../../src/server/mcp/toCommands';
import type { Client, Incoming } from '../../../src/server/mcp/withClient';
import { marbles } from '../../support/marbles';
import { answers, asks, call, fails, mcpDeps, notice } from '../../support/mcp';

const client: Client = { version: '2025-03-26', modern: false, era: { modern: false, capabilities: {} } };
const incoming = (line: string, version = client.version): Incoming => ({
  message: decodeMessage(line),
  client: { ...client, version },
});

const batch = `[${asks('a', 'ping')},${notice('notifications/cancelled', { requestId: 2 })},{"id":7}]`;

const messages: Record<string, Incoming> = {
  p: incoming(asks('p', 'ping')),
  t: incoming(call(1, 'go')),
  a: incoming(answers(0, { action: 'decline' })),
  e: incoming(fails(0, -1, 'no')),
  s: incoming(answers('text', {})),
  x: incoming(notice('notifications/cancelled', { requestId: 1 })),
  y: incoming(notice('notifications/cancelled', { requestId: { of: 'nothing' } })),
  n: incoming(notice('notifications/initialized', {})),
  f: incoming('{"jsonrpc"'),
  b: incoming(batch),
  B: incoming(batch, '2025-11-25'),
};

const size = { size: 2 };
const commands: Record<string, unknown> = {
  P: { kind: 'response', id: 'p', json: '{}' },
  T: expect.objectContaining({ kind: 'begin' }),
  A: { kind: 'answered', question: 0, response: { kind: 'response', id: 0, result: { action: 'decline' } } },
  E: {
    kind: 'answered',
    question: 0,
    response: { kind: 'response', id: 0, error: { code: -1, message: 'no' } },
  },
  X: { kind: 'cancel', requestId: 1 },
  F: { kind: 'response', id: null, error: { code: -32700, message: expect.stringMatching(/^Parse error: /) } },
  Q: { kind: 'response', id: 'a', batch: size, json: '{}' },
  R: { kind: 'cancel', requestId: 2 },
  S: {
    kind: 'response',
    id: 7,
    batch: size,
    error: { code: -32600, message: 'Invalid Request: jsonrpc must be "2.0"' },
  },
  N: {
    kind: 'response',
    id: null,
    error: { code: -32600, message: 'Invalid Request: a line is one message, except in revision 2025-03-26' },
  },
};

const run = (incoming$: Observable<Incoming>, log = jest.fn()): Observable<Command> =>
  incoming$.pipe(toCommands(mcpDeps({ log })));

describe('toCommands', () => {
  it(
    'makes one command of each request, and of a response or a cancel that can be read',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(' p-t-a-e-s-x-y-n-|', messages);
      const expected = '      P-T-A-E---X-----|';
      expectObservable(run(incoming$)).toBe(expected, commands);
    }),
  );

  it(
    'answers a line that is not a message, and logs why',
    marbles(({ hot, expectObservable, flush }) => {
      const log = jest.fn();
      expectObservable(run(hot('-f-|', messages), log)).toBe('-F-|', commands);
      flush();
      expect(log.mock.calls).toEqual([
        ['warning', 'a line was rejected', { reason: expect.stringMatching(/^Parse error: /) }],
      ]);
    }),
  );

  it(
    'takes the members of a batch one by one, in their order, where the revision has batches',
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(' b---B-|', messages);
      const expected = '      (QRS)';
      expectObservable(run(incoming$), '^--!').toBe(expected, commands);
      expectObservable(run(hot('B-|', messages))).toBe('N-|', commands);
    }),
  );

  it(
    'errors with its source and unsubscribes it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(run(hot('-#'))).toBe('-#');
      const incoming$ = hot('---', messages);
      expectObservable(run(incoming$), '^-!').toBe('---');
      expectSubscriptions(incoming$.subscriptions).toBe('^-!');
    }),
  );
});
