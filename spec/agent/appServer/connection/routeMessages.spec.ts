import type { Observable } from 'rxjs';
import { ConnectionLost, type ServerMessage } from '../../../../src/agent/appServer/connection/link';
import { routeMessages } from '../../../../src/agent/appServer/connection/openLink';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import type { Peer } from '../../../../src/protocol/rpc/peer';
import { marbles } from '../../../support/marbles';

const request = (method: string, threadId: string): ServerMessage => ({
  kind: 'request',
  id: 's',
  method,
  params: { threadId },
});
const note = (method: string, threadId: string, more: JsonObject = {}): ServerMessage => ({
  kind: 'notification',
  method,
  params: { threadId, ...more },
});
/** Of the threads t and o: m, n notifications, q, p questions; u a request that nobody knows, e a form, s a late start in t. */
const messages: Record<string, ServerMessage> = {
  m: note('warning', 't'),
  n: note('warning', 'o'),
  q: request('item/commandExecution/requestApproval', 't'),
  p: request('item/commandExecution/requestApproval', 'o'),
  e: request('mcpServer/elicitation/request', 'o'),
  u: request('item/tool/call', 't'),
  s: note('turn/started', 't', { turn: { id: 'late' } }),
};

const routed = (incoming$: Observable<ServerMessage>) => {
  const sent: unknown[] = [];
  const peer = {
    incoming$,
    respond: (id, outcome) => void sent.push([id, outcome]),
    requestAndForget: (method, params) => void sent.push([method, params]),
  } as Peer<JsonObject>;
  return { sent, ...routeMessages(peer) };
};

describe('routeMessages', () => {
  it.each([
    ['emits the messages of a thread, and no others', '-mn-q|', '-m--q', '^'],
    ['emits none before its turn, and none after', 'm-m-m|', '--m', '-^-!'],
    ['emits nothing where the server sends nothing', '---', '---', '^'],
  ])('%s', (_, source, expected, turn) =>
    marbles(({ hot, expectObservable }) => {
      const { routed$, messagesOf } = routed(hot(source, messages));
      expectObservable(routed$).toBe(source.replace(/[a-z]/g, '-'));
      expectObservable(messagesOf('t'), turn).toBe(expected, messages);
    })(),
  );

  it(
    'errors a turn whose connection is lost, once the link is',
    marbles(({ hot, expectObservable }) => {
      const { routed$, messagesOf } = routed(hot('-m-#', messages, new Error('exit code 9')));
      expectObservable(routed$).toBe('---#', {}, new Error('exit code 9'));
      expectObservable(messagesOf('t')).toBe('-m-#', messages, new ConnectionLost('exit code 9'));
    }),
  );

  it.each<[string, string, unknown[]]>([
    [
      'refuses a request that nobody knows',
      '-u',
      [['s', { error: { code: -32601, message: 'unknown method item/tool/call' } }]],
    ],
    ['declines a question of a thread without a turn', '-p', [['s', { result: { decision: 'decline' } }]]],
    ['declines one of an MCP server', '-e', [['s', { result: { action: 'decline', content: null } }]]],
    ['leaves a question to the turn of its thread', '-q', []],
    ['drops a notification of a thread without a turn', '-n', []],
    ['leaves a turn alone that starts while somebody waits for it', '-s', []],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { routed$, messagesOf, sent } = routed(hot(source, messages));
      expectObservable(routed$).toBe('-');
      messagesOf('t').subscribe();
      flush();
      expect(sent).toEqual(expected);
    })(),
  );

  it.each([
    [
      'interrupts a turn that starts after it was given up',
      ['t'],
      [['turn/interrupt', { threadId: 't', turnId: 'late' }]],
    ],
    ['leaves a turn alone that nobody gave up', ['o'], []],
  ])('%s', (_, threads, expected) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { routed$, giveUp, sent } = routed(hot('-s', messages));
      for (const thread of threads) giveUp(thread);
      expectObservable(routed$).toBe('-');
      flush();
      expect(sent).toEqual(expected);
    })(),
  );

  it(
    'routes to the next turn of a thread, though the one before is unsubscribed after it began',
    marbles(({ hot, expectObservable }) => {
      const { routed$, messagesOf } = routed(hot('-m-m-', messages));
      expectObservable(routed$).toBe('-');
      expectObservable(messagesOf('t'), '^--!').toBe('-', messages);
      expectObservable(messagesOf('t'), '^').toBe('-m-m', messages);
    }),
  );
});
