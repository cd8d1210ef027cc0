import { mergeMap, NEVER, type Observable, take, tap, timer } from 'rxjs';
import {
  configFaults,
  openLink,
  type PendingRequest,
  watchResponses,
} from '../../../../src/agent/appServer/connection/openLink';
import { TRIED_RELEASES } from '../../../../src/agent/triedReleases';
import { CannotBegin } from '../../../../src/agent/turns/rejection';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import type { RpcIncoming, RpcOutgoing } from '../../../../src/protocol/rpc/messages';
import { marbles } from '../../../support/marbles';
import { transportOf } from '../../../support/transport';

const response = (id: number, result: JsonObject): RpcIncoming<JsonObject> => ({ kind: 'response', id, result });
const request = (method: string, params: JsonObject): RpcIncoming<JsonObject> => ({
  kind: 'request',
  id: 's',
  method,
  params,
});

/**
 * I is the result of initialize, A and B those of the first and the second request, T is one of the first that is not an object, F refuses
 * the first; u is a request.
 */
const incoming: Record<string, RpcIncoming<JsonObject>> = {
  I: response(1, { userAgent: 'codex-rx/0.171.0 (Debian 12.0.0; x86_64) unknown (codex-rx; 1.2.3)' }),
  A: response(2, { a: 1 }),
  B: response(3, { b: 2 }),
  T: { kind: 'response', id: 2, result: null as never },
  F: { kind: 'response', id: 2, error: { code: -32600, message: 'no', data: { why: 1 } } },
  N: { kind: 'notification', method: 'warning', params: { threadId: 't' } },
  u: request('item/tool/call', { threadId: 't' }),
};

const advice = `It did not answer its first request. Is it a Codex with app-server? ${TRIED_RELEASES}.`;

const over = (incoming$: Observable<RpcIncoming<JsonObject>>) => {
  const { transport, sent } = transportOf<RpcIncoming<JsonObject>, RpcOutgoing>(incoming$);
  return { sent, link$: openLink({ transport, version: '1.2.3' }) };
};

describe('openLink', () => {
  it(
    'emits a link after the handshake, and errors with the server',
    marbles(({ hot, expectObservable, flush }) => {
      const incoming$ = hot(' ---I--#', incoming, new Error('exit code 1'));
      const expected = '   ---L--#';
      const { link$, sent } = over(incoming$);
      expectObservable(link$).toBe(
        expected,
        { L: expect.objectContaining({ release: '0.171.0' }) },
        new Error('exit code 1'),
      );
      flush();
      expect(sent.map((each) => 'method' in each && each.method)).toEqual(['initialize', 'initialized']);
      expect(sent[0]).toMatchObject({
        params: { clientInfo: { name: 'codex-rx', version: '1.2.3' }, capabilities: { experimentalApi: true } },
      });
    }),
  );

  it(
    'gives up on a server that does not answer initialize',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const incoming$ = hot('-N-', incoming);
      const silent = new Error(`The codex app-server was silent for 30 s and was ended.\n${advice}`);
      expectObservable(over(incoming$).link$).toBe('30s #', {}, silent);
      expectSubscriptions(incoming$.subscriptions).toBe('^ 29999ms !');
    }),
  );

  it(
    'errors with the error response to initialize',
    marbles(({ hot, expectObservable }) => {
      const E: RpcIncoming<JsonObject> = { kind: 'response', id: 1, error: { code: 1, message: 'old' } };
      expectObservable(over(hot('---E', { E })).link$).toBe('---#', {}, new RpcError(1, 'old'));
    }),
  );

  it.each<[string, string, Error, Error]>([
    [
      'doubts a server that dies before the handshake',
      '--#',
      new Error('exit code 1'),
      new Error(`exit code 1\n${advice}`),
    ],
    ['and one that ends', '--|', new Error(), new Error(`the connection to the codex app-server was lost\n${advice}`)],
    ['not one that is not there', '--#', new CannotBegin('no codex'), new CannotBegin('no codex')],
  ])('%s', (_, server, error, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(over(hot<RpcIncoming<JsonObject>>(server, {}, error)).link$).toBe('--#', {}, expected);
    })(),
  );

  it.each<[string, string, string, unknown]>([
    ['responses are matched by their ids', '---I--BA', '-------(A|)', { a: 1 }],
    ['a result that is not an object is an empty one', '---I---T', '-------(A|)', {}],
    ['a refusal is an error', '---I---F', '-------#', new RpcError(-32600, 'no', { why: 1 })],
    ['so is a server that goes', '---I---|', '-------#', new Error('the connection to the codex app-server was lost')],
  ])('requests: %s', (_, server, expected, value) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { link$, sent } = over(hot(server, incoming));
      const answer$ = link$.pipe(mergeMap((link) => link.request('thread/list', { limit: 1 })));
      const values = { A: value };
      expectObservable(answer$.pipe(take(1))).toBe(expected, values, value);
      flush();
      expect(sent[2]).toEqual({ kind: 'request', id: 2, method: 'thread/list', params: { limit: 1 } });
    })(),
  );

  it(
    'sends requests and responses, and emits the messages of a thread',
    marbles(({ hot, expectObservable, flush }) => {
      const { link$, sent } = over(hot('I-N-A-', incoming));
      const message$ = link$.pipe(
        tap((link) => {
          link.requestAndForget('x/y', { z: 1 });
          link.respond('s', { ok: true });
        }),
        mergeMap((link) => link.messagesOf('t')),
      );
      expectObservable(message$).toBe('--N', { N: incoming.N });
      flush();
      expect(sent.slice(2)).toEqual([
        { kind: 'request', id: 2, method: 'x/y', params: { z: 1 } },
        { kind: 'response', id: 's', result: { ok: true } },
      ]);
    }),
  );

  it(
    'replays the fault of a configuration that the server cannot use',
    marbles(({ hot, expectObservable }) => {
      const F: RpcIncoming<JsonObject> = {
        kind: 'notification',
        method: 'configWarning',
        params: { summary: 'Invalid configuration', details: '/c.toml:7:12: x' },
      };
      const { link$ } = over(hot('I-F', { ...incoming, F }));
      const fault$ = link$.pipe(mergeMap(({ configFault$ }) => timer(5).pipe(mergeMap(() => configFault$))));
      expectObservable(fault$).toBe('-----c', { c: '/c.toml:7:12: x' });
    }),
  );

  it(
    'refuses a request of the server that nobody can answer',
    marbles(({ hot, flush }) => {
      const { link$, sent } = over(hot('I-u', incoming));
      link$.subscribe();
      flush();
      expect(sent.slice(2)).toMatchObject([{ kind: 'response', id: 's', error: { code: -32601 } }]);
    }),
  );
});

const warning = (summary: string, details?: string) => ({
  kind: 'notification' as const,
  method: 'configWarning',
  params: { summary, details },
});
const messages = {
  f: warning('Invalid configuration; using defaults.', '/c.toml:7:12: no longer supported.\nHow to fix: …'),
  s: warning('Invalid configuration; using defaults.'),
  w: warning('Unknown key.', '/c.toml:1:1: x'),
  n: { kind: 'notification' as const, method: 'warning', params: { summary: 'Invalid configuration' } },
};

describe('configFaults', () => {
  it.each([
    ['never', '--', '--'],
    ['is empty as its source is', '-|', '-|'],
    ['emits the place of a fault, and nothing else', '-wfn|', '--F-|'],
    ['emits the summary where there is no place', '-s|', '-S|'],
    ['errors with its source', '-f#', '-F#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = { F: '/c.toml:7:12: no longer supported.', S: 'Invalid configuration; using defaults.' };
      expectObservable(hot(source, messages).pipe(configFaults())).toBe(expected, values);
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-f-', messages);
      expectObservable(source$.pipe(configFaults()), '^!').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe('^!');
    }),
  );
});

const E = new Error('The codex app-server was silent for 0.005 s after turn/interrupt and was ended.');

describe('watchResponses', () => {
  it.each([
    ['never', '---', '', '---', '---'],
    ['emits where a response does not come', '-r', '-', '-', '------E'],
    ['emits nothing where it comes', '-r-------', '--y', '-', '---------'],
    ['emits nothing where it is an error', '-r-------', '--#', '-', '---------'],
    ['counts from the last message', '-r', '-', '---m', '--------E'],
    ['emits for each request', '-rr', '-', '-', '------EE'],
    ['ends with the source and the last response', '-r-|', '-----y', '-', '------|'],
    ['errors with the source', '-r#', '-', '-', '--#'],
  ])('%s', (_, source, response, incoming, expected) =>
    marbles(({ hot, cold, expectObservable }) => {
      const request: PendingRequest = { method: 'turn/interrupt', response$: response === '' ? NEVER : cold(response) };
      const source$ = hot(source, { r: request });
      expectObservable(source$.pipe(watchResponses({ incoming$: hot(incoming), waitMs: 5 }))).toBe(expected, { E });
    })(),
  );

  it(
    'errors with the connection, and unsubscribes it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const incoming$ = hot('--#');
      const requests$ = hot('-r', { r: { method: 'turn/interrupt', response$: NEVER } });
      expectObservable(requests$.pipe(watchResponses({ incoming$, waitMs: 5 }))).toBe('--#');
      const quiet$ = hot('-');
      expectObservable(requests$.pipe(watchResponses({ incoming$: quiet$, waitMs: 5 })), '^--!').toBe('-');
      expectSubscriptions(quiet$.subscriptions).toBe('-^-!');
    }),
  );
});
