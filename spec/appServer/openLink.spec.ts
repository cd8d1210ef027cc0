import { mergeMap, type Observable, take, tap } from 'rxjs';
import { NotBegun } from '../../src/appServer';
import { openLink } from '../../src/appServer/openLink';
import { type JsonObject, RpcError } from '../../src/protocol/jsonrpc';
import type { RpcIncoming, RpcOutgoing } from '../../src/rpc';
import { marbles } from '../support/marbles';
import { transportOf } from '../support/transport';

const response = (id: number, result: JsonObject): RpcIncoming<JsonObject> => ({ kind: 'response', id, result });
const request = (method: string, params: JsonObject): RpcIncoming<JsonObject> => ({
  kind: 'request',
  id: 's',
  method,
  params,
});

/** What a server says: I answers initialize, A and B answer the first and the second question, F refuses it. */
const heard: Record<string, RpcIncoming<JsonObject>> = {
  I: response(1, { userAgent: 'codex' }),
  A: response(2, { a: 1 }),
  B: response(3, { b: 2 }),
  F: { kind: 'response', id: 2, error: { code: -32600, message: 'no', data: { why: 1 } } },
  N: { kind: 'notification', method: 'warning', params: {} },
  u: request('item/tool/call', { threadId: 't' }),
  q: request('item/commandExecution/requestApproval', { threadId: 't', turnId: 'u' }),
  o: request('item/commandExecution/requestApproval', { threadId: 't', turnId: 'before' }),
  m: request('mcpServer/elicitation/request', { threadId: 't' }),
};

const advice =
  'It did not answer its first request. Is it a Codex with app-server? 0.142.0 to 0.169.0 are known to work.';

const over = (heard$: Observable<RpcIncoming<JsonObject>>) => {
  const { transport, sent } = transportOf<RpcIncoming<JsonObject>, RpcOutgoing>(heard$);
  return { sent, link$: openLink({ transport, version: '1.2.3' }) };
};

describe('openLink', () => {
  it(
    'can be asked once hands are shaken, and errors with the server',
    marbles(({ hot, expectObservable, flush }) => {
      const heard$ = hot(' ---I--#', heard, new Error('exit code 1'));
      const expected = '   ---L--#';
      const { link$, sent } = over(heard$);
      expectObservable(link$).toBe(expected, { L: expect.anything() }, new Error('exit code 1'));
      flush();
      expect(sent.map((each) => 'method' in each && each.method)).toEqual(['initialize', 'initialized']);
    }),
  );

  it(
    'gives up on a server that does not answer its greeting',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const heard$ = hot('-N-', heard);
      const silent = new Error(`The codex app-server was silent for 30 s and was ended.\n${advice}`);
      expectObservable(over(heard$).link$).toBe('30s #', {}, silent);
      expectSubscriptions(heard$.subscriptions).toBe('^ 29999ms !');
    }),
  );

  it(
    'errors with what a server says against its greeting',
    marbles(({ hot, expectObservable }) => {
      const E: RpcIncoming<JsonObject> = { kind: 'response', id: 1, error: { code: 1, message: 'old' } };
      expectObservable(over(hot('---E', { E })).link$).toBe('---#', {}, new RpcError(1, 'old'));
    }),
  );

  it.each<[string, string, Error, Error]>([
    [
      'doubts a server that dies before it has greeted',
      '--#',
      new Error('exit code 1'),
      new Error(`exit code 1\n${advice}`),
    ],
    ['and one that ends', '--|', new Error(), new Error(`the connection to the codex app-server was lost\n${advice}`)],
    ['not one that is not there', '--#', new NotBegun('no codex'), new NotBegun('no codex')],
  ])('%s', (_, server, error, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(over(hot<RpcIncoming<JsonObject>>(server, {}, error)).link$).toBe('--#', {}, expected);
    })(),
  );

  it.each<[string, string, string, unknown]>([
    ['answers are told apart by their ids', '---I--BA', '-------(A|)', { a: 1 }],
    ['a refusal is an error', '---I---F', '-------#', new RpcError(-32600, 'no', { why: 1 })],
    ['so is a server that goes', '---I---|', '-------#', new Error('the connection to the codex app-server was lost')],
  ])('asks: %s', (_, server, expected, value) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { link$, sent } = over(hot(server, heard));
      const answer$ = link$.pipe(mergeMap((link) => link.ask('thread/list', { limit: 1 })));
      const values = { A: value };
      expectObservable(answer$.pipe(take(1))).toBe(expected, values, value);
      flush();
      expect(sent[2]).toEqual({ kind: 'request', id: 2, method: 'thread/list', params: { limit: 1 } });
    })(),
  );

  it(
    'hands on what the server says of its own accord, tells and answers it',
    marbles(({ hot, expectObservable, flush }) => {
      const { link$, sent } = over(hot('I-N-A-', heard));
      const word$ = link$.pipe(
        tap((link) => {
          link.tell('x/y', { z: 1 });
          link.answer('s', { ok: true });
        }),
        mergeMap((link) => link.word$),
      );
      expectObservable(word$).toBe('--N', { N: heard.N });
      flush();
      expect(sent.slice(2)).toEqual([
        { kind: 'request', id: 2, method: 'x/y', params: { z: 1 } },
        { kind: 'response', id: 's', result: { ok: true } },
      ]);
    }),
  );

  it.each([
    ['stops a turn that begins after it was given up', ['t'], [{ threadId: 't', turnId: 'late' }]],
    ['leaves a turn alone that nobody gave up', ['other'], []],
  ])('%s', (_, givenUp, stopped) =>
    marbles(({ hot, flush }) => {
      const start: RpcIncoming<JsonObject> = {
        kind: 'notification',
        method: 'turn/started',
        params: { threadId: 't', turn: { id: 'late' } },
      };
      const { link$, sent } = over(hot('I-s', { ...heard, s: start }));
      link$.subscribe((link) => {
        for (const thread of givenUp) link.givenUp.add(thread);
      });
      flush();
      expect(sent.slice(2)).toEqual(
        stopped.map((params) => ({ kind: 'request', id: 2, method: 'turn/interrupt', params })),
      );
    })(),
  );

  it.each<[string, string, string[], unknown[]]>([
    ['refuses what it does not know', 'u', [], [{ error: { code: -32601, message: 'unknown method item/tool/call' } }]],
    ['refuses that in a turn as well', 'u', ['t'], [{ error: { code: -32601 } }]],
    ['declines a question of a turn that is over', 'q', [], [{ result: { decision: 'decline' } }]],
    ['declines one of an MCP server', 'm', ['other'], [{ result: { action: 'decline', content: null } }]],
    ['declines one of another turn of a thread that has one', 'o', ['t'], [{ result: { decision: 'decline' } }]],
    ['leaves a question to the turn it belongs to', 'q', ['t'], []],
  ])('%s', (_, letter, busy, answers) =>
    marbles(({ hot, flush }) => {
      const { link$, sent } = over(hot(`I-${letter}`, heard));
      link$.subscribe((link) => {
        for (const thread of busy) link.busy.set(thread, ({ params }) => params.turnId === 'u');
      });
      flush();
      expect(sent.slice(2)).toMatchObject(
        answers.map((answer) => ({ kind: 'response', id: 's', ...(answer as object) })),
      );
    })(),
  );
});
