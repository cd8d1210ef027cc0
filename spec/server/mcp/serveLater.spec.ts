import { NEVER, type Observable, of, timer } from 'rxjs';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { ThreadChange } from '../../../src/server/mcp/library';
import { listen } from '../../../src/server/mcp/listen';
import { serveCodex, serveLater } from '../../../src/server/mcp/mcpServer';
import type { Command } from '../../../src/server/mcp/methods/method';
import { asked, hostWith } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const face = faceOf('union', '0.1.0');

const later = (id: number | string): Command => ({
  kind: 'later',
  request: { kind: 'request', id, method: 'subscriptions/listen', params: { notifications: {} } },
});

const commands: Record<string, Command> = {
  l: later(5),
  k: later('5'),
  x: { kind: 'cancel', requestId: 5 },
  z: { kind: 'end', cause: 'over' },
};

const KEY = 'io.modelcontextprotocol/subscriptionId';

const acknowledged = (id: unknown) => ({
  kind: 'notification',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: {}, _meta: { [KEY]: id } },
});

const closed = (id: unknown) => ({
  kind: 'response',
  id,
  result: {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo, [KEY]: id },
  },
});

const noHost = () => {
  throw new Error('no machine behind this double');
};

const messages = { L: acknowledged(5), K: acknowledged('5'), A: closed(5), B: closed('5') };

const deps = { face, after: timer, log: silentLog, codexHost: noHost };

describe('serveLater', () => {
  it(
    'runs each request until its method is done: a subscription is acknowledged, and answered at the end',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' -l--k---(z|)', commands);
      const expected = '     -L--K---(AB|)';
      expectObservable(command$.pipe(serveLater(deps))).toBe(expected, messages);
    }),
  );

  it(
    'ends one in silence by a cancel, and no other',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' -l--k-x-(z|)', commands);
      const expected = '     -L--K---(B|)';
      expectObservable(command$.pipe(serveLater(deps))).toBe(expected, messages);
    }),
  );

  it(
    'answers both of two with one id',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot(' l-l-(z|)', commands);
      const expected = '     L-L-(AA|)';
      expectObservable(command$.pipe(serveLater(deps))).toBe(expected, messages);
    }),
  );

  it(
    'errors and unsubscribes with its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('l-#', commands).pipe(serveLater(deps))).toBe('L-#', messages);
      const command$ = hot('--', commands);
      expectObservable(command$.pipe(serveLater(deps)), '^!').toBe('--');
      expectSubscriptions(command$.subscriptions).toBe('^!');
    }),
  );
});

describe('serveCodex', () => {
  const commands: Record<string, Command> = {
    u: { kind: 'codex', request: asked('userInfo', {}, 5) },
    r: { kind: 'response', id: 1, result: {} },
    z: { kind: 'end', cause: 'over' },
  };

  it(
    'makes the machine for the first Codex method, and serves nothing else',
    marbles(({ hot, expectObservable }) => {
      const made: string[] = [];
      const codexHost = () => {
        made.push('machine');
        return hostWith();
      };
      const command$ = hot(' -r-u-u-(z|)', commands);
      const expected = '     ---U-U-|';
      const response = { kind: 'response', id: 5, result: { allegedUserEmail: null } };
      expectObservable(
        command$.pipe(serveCodex({ codexHost, log: silentLog, face: faceOf('union', '1'), newCallId: () => 'id' })),
      ).toBe(expected, { U: response });
      command$.subscribe({ complete: () => expect(made).toEqual(['machine']) });
    }),
  );

  it(
    'answers each method with an error if the machine cannot be made',
    marbles(({ hot, expectObservable }) => {
      const codexHost = () => {
        throw new Error('gone');
      };
      const response = { kind: 'response', id: 5, error: { code: -32603, message: 'Internal error' } };
      expectObservable(
        hot('u-u-(z|)', commands).pipe(
          serveCodex({ codexHost, log: silentLog, face: faceOf('union', '1'), newCallId: () => 'id' }),
        ),
      ).toBe('U-U-|', { U: response });
    }),
  );
});

describe('listen', () => {
  const face = faceOf('union', '0.1.0');

  const request: Request = { kind: 'request', id: 5, method: 'subscriptions/listen', params: { notifications: {} } };

  const KEY = 'io.modelcontextprotocol/subscriptionId';

  const messages = {
    A: {
      kind: 'notification',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {}, _meta: { [KEY]: 5 } },
    },
    R: {
      kind: 'result',
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': face.serverInfo, [KEY]: 5 } },
    },
  };

  it.each([
    ['is acknowledged at once and answered at the end of the connection', '----z-', 'A---(R|)', '^---!'],
    ['stays open while the connection does', '------', 'A-----', '^     '],
    ['completes where the end never comes', '---|', 'A--|', '^--!'],
    ['errors with the connection', '---#', 'A--#', '^--!'],
  ])('%s', (_, end, expected, subs) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const end$ = hot(end);
      expectObservable(listen({ face, after: timer, end$ })(request)).toBe(expected, messages);
      expectSubscriptions(end$.subscriptions).toBe(subs);
    })(),
  );

  const uri = (id: string) => `codex://threads/00000000-0000-4000-8000-00000000000${id}/answer`;
  const [id] = /[0-9a-f-]{36}/.exec(uri('a')) ?? [];
  const library = (threadChange$: Observable<ThreadChange>, listStored$: Observable<never[]>) => () =>
    ({
      hasPrompts: () => false,
      hasThreads: () => true,
      hasTapes: () => false,
      host: () => hostWith({ listStored: () => listStored$ }),
      threadChange$,
    }) as never;
  const listed = [{ id }] as never[];
  const subscribe = (notifications: object): Request => ({ ...request, params: { notifications } });
  const toMessage = (method: string, params: object) => ({
    kind: 'notification',
    method: `notifications/${method}`,
    params: { ...params, _meta: { [KEY]: 5 } },
  });
  const changes = {
    w: { changed: [id], isListChanged: false },
    o: { changed: ['another'], isListChanged: false },
    n: { changed: ['another'], isListChanged: true },
  };
  const [L, U] = [toMessage('resources/list_changed', {}), toMessage('resources/updated', { uri: uri('a') })];
  const toAcknowledged = (notifications: object) => toMessage('subscriptions/acknowledged', { notifications });
  const both = { resourcesListChanged: true, resourceSubscriptions: [uri('a'), uri('a'), uri('b'), 'file:///etc'] };

  it.each([
    ['tells of a listed thread and of the list', both, { ...both, resourceSubscriptions: [uri('a')] }, 'A-UL-R'],
    ['tells of the list alone', { resourcesListChanged: true }, { resourcesListChanged: true }, 'A--L-R'],
    ['tells of nothing that was not asked for', { toolsListChanged: true }, {}, 'A----R'],
  ])('%s', (_, asked, agreed, expected) =>
    marbles(({ hot, expectObservable }) => {
      const threadChange$ = hot('-owno-w', changes) as Observable<ThreadChange>;
      const end$ = hot('         -----z-');
      const deps = { face, after: timer, end$, library: library(threadChange$, of(listed)) };
      const known = { ...messages, A: toAcknowledged(agreed), L, U };
      expectObservable(listen(deps)(subscribe(asked))).toBe(expected.replace('R', '(R|)'), known);
    })(),
  );

  it(
    'is answered at the end also while the threads are still looked for',
    marbles(({ hot, cold, expectObservable }) => {
      const deps = { face, after: timer, end$: hot('--z'), library: library(NEVER, cold('----(l|)', { l: listed })) };
      expectObservable(listen(deps)(subscribe(both))).toBe('--(R|)', messages);
    }),
  );
});
