import type { Observable } from 'rxjs';
import { type Connection, type ConnectionDeps, openConnection } from '../../../src/executor/remote/openConnection';
import type { ExecMessage, ExecOutgoing } from '../../../src/protocol/exec/codec';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { counter } from '../../../src/streams/counter';
import { marbles } from '../../support/marbles';
import { transportOf } from '../../support/transport';

const refusal = (id: number, code: number): ExecMessage => ({ kind: 'response', id, error: { code, message: 'no' } });
const messages: Record<string, ExecMessage> = {
  I: { kind: 'response', id: 1, result: { sessionId: 's', environmentInfo: {} } },
  O: { kind: 'response', id: 1, result: {} },
  B: { kind: 'response', id: 1, result: { sessionId: 7 } },
  R: refusal(1, -32600),
  k: refusal(2, -32602),
  u: { kind: 'response', id: 2, result: { status: 'unknownProcess' } },
  m: refusal(2, -32601),
  f: { kind: 'fault', message: 'no JSON' },
};
const connection = (own: Partial<Connection>) => ({
  peer: expect.anything(),
  sessionId: 's',
  isResumed: false,
  knowsWrites: false,
  ...own,
});
const connections = {
  C: connection({}),
  N: connection({ sessionId: null }),
  K: connection({ isResumed: true, knowsWrites: true }),
  U: connection({ isResumed: true }),
};
const before = { sessionId: 's' } as Connection;

const opened = (incoming$: Observable<ExecMessage>, previous?: Connection, own: Partial<ConnectionDeps> = {}) => {
  const { transport, sent } = transportOf<ExecMessage, ExecOutgoing>(incoming$);
  const deps = { transport, clientName: 'c', newId: counter(), initializeMs: 10, log: () => {}, ...own };
  return { sent, connection$: openConnection(deps, previous) };
};

describe('openConnection', () => {
  it.each<[string, string, string, unknown]>([
    ['emits a new session, and errors when the connection is lost', '--I--#', '--C--#', new Error('lost')],
    ['takes a server that has no sessions', '--O', '--N', undefined],
    ['errors with a refusal', '--R', '--#', new RpcError(-32600, 'no')],
    [
      'errors for an id that is no text',
      '--B',
      '--#',
      new Error(
        "the exec-server's result of initialize cannot be read: result.sessionId must be a string, not a number",
      ),
    ],
    [
      'errors when the server does not answer in time',
      '---',
      '10ms #',
      new Error('the exec-server did not answer initialize within 0.01 s'),
    ],
  ])('%s', (_, source, expected, error) =>
    marbles(({ hot, expectObservable }) => {
      const incoming$ = hot(source, messages, new Error('lost'));
      expectObservable(opened(incoming$).connection$).toBe(expected, connections, error);
    })(),
  );

  it.each([
    ['a server that knows writes by their ids', '-I-k', '---K'],
    ['one that does not', '-I-u', '---U'],
    ['one that has no such method', '-I-m', '---U'],
  ])('resumes a session: %s', (_, source, expected) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { connection$, sent } = opened(hot(source, messages), before);
      expectObservable(connection$).toBe(expected, connections);
      flush();
      expect(sent).toEqual([
        { kind: 'request', id: 1, method: 'initialize', params: { clientName: 'c', resumeSessionId: 's' } },
        { kind: 'notification', method: 'initialized', params: {} },
        { kind: 'request', id: 2, method: 'process/write', params: { processId: '', chunk: '', writeId: '' } },
      ]);
    })(),
  );

  it('logs a line that is not a message', () => {
    const records: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const { connection$ } = opened(hot('-f-I', messages), undefined, {
        log: (...record) => void records.push(record),
      });
      expectObservable(connection$).toBe('---C', connections);
    })();
    expect(records).toEqual([['warning', 'the exec-server sent a line that is not a message', { reason: 'no JSON' }]]);
  });
});
