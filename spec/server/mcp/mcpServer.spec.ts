import { map, mergeMap, type OperatorFunction } from 'rxjs';
import { faceOf } from '../../../src/server/faces/faceOf';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { digestOf, type RequestState, sealer } from '../../../src/server/mcp/methods/requestState';
import { marbles } from '../../support/marbles';
import {
  answers,
  asks,
  call,
  doneBy,
  failed,
  fails,
  initialize,
  mcpDeps,
  modern,
  notice,
  result,
  says,
  THREAD,
} from '../../support/mcp';

const INITIALIZED = notice('notifications/initialized', {});

/** The server with its lines read, so that whole messages are compared. Its client sends `notifications/initialized` right after `initialize`. */
const server =
  (deps: Partial<McpDeps> = {}): OperatorFunction<string, unknown> =>
  (line$) =>
    line$.pipe(
      mergeMap((line) => (line.includes('"method":"initialize"') ? [line, INITIALIZED] : [line])),
      mcpServer(mcpDeps(deps)),
      map((line) => JSON.parse(line) as unknown),
    );

const greeting = (id: unknown, protocolVersion: string) =>
  says({
    id,
    result: {
      protocolVersion,
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'codex-rx', title: 'Codex', version: '0.1.0' },
      instructions: 'be kind',
    },
  });

const error = (id: unknown, code: number, message: string, data?: unknown) =>
  says({ id, error: { code, message, ...(data !== undefined && { data }) } });

const question = (id: number, requestId: unknown) =>
  says({
    id,
    method: 'elicitation/create',
    params: {
      message: "Allow Codex to run `touch 'a b'` in `/work`?",
      requestedSchema: expect.objectContaining({ type: 'object' }),
      threadId: THREAD,
      codex_elicitation: 'exec-approval',
      codex_mcp_tool_call_id: String(requestId),
      codex_event_id: String(requestId),
      codex_call_id: 'c1',
      codex_command: ['touch', 'a b'],
      codex_cwd: '/work',
    },
  });

/** The result for a client whose revision has no structured content. */
const resultWithThread = (id: unknown, text: string): unknown =>
  says({
    id,
    result: {
      content: [
        { type: 'text', text },
        { type: 'text', text: `threadId: ${THREAD}` },
      ],
      structuredContent: { threadId: THREAD, content: text, ...doneBy(text) },
    },
  });

const withdrawn = (requestId: unknown, reason: string) =>
  says({ method: 'notifications/cancelled', params: { requestId, reason } });

const lines = {
  i: initialize('i', '2025-11-25'),
  j: initialize('i', '2025-11-25', {}),
  h: call(1, 'say hi'),
  f: call(1, 'fail'),
  r: call(1, 'refuse'),
  q: call(1, 'ask'),
  g: call(1, 'go on'),
  t: call(2, 'take 3'),
  b: '{"jsonrpc":"2.0","id":7',
  p: asks('p', 'ping'),
  y: answers(0, { action: 'accept', content: { decision: 'approved' } }),
  n: answers(0, { action: 'decline' }),
  c: answers(0, { action: 'cancel' }),
  a: answers(0, { decision: 'abort' }),
  e: fails(0, -32601, 'no forms here'),
  x: notice('notifications/cancelled', { requestId: 1 }),
};

const PONG = says({ id: 'p', result: {} });
const HELLO = greeting('i', '2025-11-25');

describe('mcpServer', () => {
  it(
    'answers initialize and ping at once',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-p-|', lines);
      const expected = '   I-P-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, P: PONG });
    }),
  );

  it.each([
    ['serves', '0.28', { W: PONG }],
    ['refuses', '0.153', { W: error('p', -32600, 'Invalid Request: jsonrpc must be "2.0"') }],
    ['refuses', 'union', { W: error('p', -32600, 'Invalid Request: jsonrpc must be "2.0"') }],
  ] as const)('%s a request without jsonrpc with the face %s', (_, face, expected) =>
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('w-|', { w: '{"id":"p","method":"ping"}' });
      expectObservable(line$.pipe(server({ face: faceOf(face, '0.1.0') }))).toBe('W-|', expected);
    })(),
  );

  it(
    'answers a call with the last message of the agent',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-h-|', lines);
      const expected = '   I-H-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, H: result(1, 'hi') });
    }),
  );

  it(
    'answers a failed turn with its error and its thread',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-f-|', lines);
      const expected = '   I-F-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, F: failed(1, 'model down', THREAD) });
    }),
  );

  it(
    'answers a call that cannot begin with the reason',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-r-|', lines);
      const expected = '   I-R-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, R: failed(1, 'no such thread') });
    }),
  );

  it(
    'puts the question to the person and goes on with the yes',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-q---y-|', lines);
      const expected = '   I-Q---T-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, Q: question(0, 1), T: result(1, 'approved') });
    }),
  );

  it(
    'asks no question before the handshake is over',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-q---n--y-|', { ...lines, n: INITIALIZED });
      const expected = '   I-----Q--T-|';
      const read = map((line: string) => JSON.parse(line) as unknown);
      expectObservable(line$.pipe(mcpServer(mcpDeps()), read)).toBe(expected, {
        I: HELLO,
        Q: question(0, 1),
        T: result(1, 'approved'),
      });
    }),
  );

  it(
    'does not lose a yes that comes with the question',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-(qy)-|', lines);
      const expected = '   I-(QT)-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, Q: question(0, 1), T: result(1, 'approved') });
    }),
  );

  it(
    'takes a no, a dismissal and an error as what they are',
    marbles(({ hot, expectObservable }) => {
      const sent = { I: HELLO, Q: question(0, 1) };
      expectObservable(hot('i-q--n-|', lines).pipe(server())).toBe('I-Q--T-|', {
        ...sent,
        T: result(1, 'denied\n\nNot done: `touch`: the client declined it'),
      });
      const dismissed = result(1, 'denied\n\nNot done: `touch`: the question was dismissed');
      expectObservable(hot('i-q--c-|', lines).pipe(server())).toBe('I-Q--T-|', { ...sent, T: dismissed });
      const stopped = failed(1, 'The turn was stopped.\n`touch`: the client declined it', THREAD);
      expectObservable(hot('i-q--a-|', lines).pipe(server())).toBe('I-Q--T-|', { ...sent, T: stopped });
      const note = result(
        1,
        'denied\n\nNot done: `touch`: the client answered the question with error -32601: no forms here',
      );
      expectObservable(hot('i-q--e-|', lines).pipe(server())).toBe('I-Q--T-|', { ...sent, T: note });
    }),
  );

  it(
    'declines at once for a client that cannot be asked, and reports it',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  j-q-|', lines);
      const expected = '   J-T-|';
      const T = result(1, 'denied\n\nNot done: `touch`: the client cannot be asked (it declared no elicitation)');
      expectObservable(line$.pipe(server())).toBe(expected, { J: HELLO, T });
    }),
  );

  it(
    'declines and takes the question back when nobody answers in time',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-q-----------|', lines);
      const expected = '   I-Q----(WT)---|';
      const T = result(1, 'denied\n\nNot done: `touch`: nobody answered within 0.005 s');
      const W = withdrawn(0, 'nobody answered within 0.005 s');
      expectObservable(line$.pipe(server({ askTimeoutMs: 5 }))).toBe(expected, { I: HELLO, Q: question(0, 1), W, T });
    }),
  );

  it(
    'never answers a call that was cancelled',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-g---x-p-|', lines);
      const expected = '   I-------P-|';
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, P: PONG });
    }),
  );

  it(
    'takes an open question back when its call is cancelled',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-q---x-y-|', lines);
      const expected = '   I-Q---W---|';
      const W = withdrawn(0, 'the call was cancelled');
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, Q: question(0, 1), W });
    }),
  );

  it(
    'keeps two calls apart',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-tq--y-|', lines);
      const expected = '   I--Q-TU-|';
      const sent = { I: HELLO, Q: question(0, 1), T: result(2, 'done'), U: result(1, 'approved') };
      expectObservable(line$.pipe(server())).toBe(expected, sent);
    }),
  );

  it(
    'answers a bad line and serves its neighbours',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i(pbh)-|', lines);
      const expected = '   I(PBH)-|';
      const B = { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringMatching(/^Parse error: /) } };
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, P: PONG, B, H: result(1, 'hi') });
    }),
  );

  it(
    'answers what is open when the input ends, and ends',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-gq--|', { ...lines, q: call(2, 'ask') });
      const expected = '   I--Q--(SWU|)';
      const why = 'The turn was stopped: the input of the server ended.';
      const sent = {
        I: HELLO,
        Q: question(0, 2),
        S: failed(1, why, THREAD),
        W: withdrawn(0, 'the call is over'),
        U: failed(2, why, THREAD),
      };
      expectObservable(line$.pipe(server())).toBe(expected, sent);
    }),
  );

  it(
    'names the cause of a stop that comes before the end of the input',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot('  i-g-----', lines);
      const stop$ = hot('  -----x--', { x: 'The turn was stopped: the server received SIGTERM.' });
      const subs = '       ^----!';
      const expected = '   I----(S|)';
      const S = failed(1, 'The turn was stopped: the server received SIGTERM.', THREAD);
      expectObservable(line$.pipe(server({ stop$ }))).toBe(expected, { I: HELLO, S });
      expectSubscriptions(line$.subscriptions).toBe(subs);
      expectSubscriptions(stop$.subscriptions).toBe(subs);
    }),
  );

  it(
    'refuses a second initialize',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-k-p-|', { ...lines, k: initialize('k', '2024-11-05') });
      const expected = '   I-K-P-|';
      const K = error('k', -32600, 'initialize called more than once');
      expectObservable(line$.pipe(server())).toBe(expected, { I: HELLO, K, P: PONG });
    }),
  );

  it(
    'serves a batch if the revision has it, in one array',
    marbles(({ hot, expectObservable }) => {
      const batch = `[${asks('a', 'ping')},${notice('notifications/x', {})},${call(2, 'take 3')},${asks('b', 'no/such')}]`;
      const line$ = hot('  i-b-----|', { i: initialize('i', '2025-03-26'), b: batch });
      const expected = '   I----B--|';
      const unknown = error('b', -32601, 'Method not found: no/such', { method: 'no/such' });
      const B = [says({ id: 'a', result: {} }), unknown, resultWithThread(2, 'done')];
      expectObservable(line$.pipe(server())).toBe(expected, { I: greeting('i', '2025-03-26'), B });
    }),
  );

  it(
    'leaves a cancelled member out of its batch',
    marbles(({ hot, expectObservable }) => {
      const batch = `[${asks('a', 'ping')},${call(1, 'go on')}]`;
      const line$ = hot('  i-b--x-|', { i: initialize('i', '2025-03-26'), b: batch, x: lines.x });
      const expected = '   I----B-|';
      expectObservable(line$.pipe(server())).toBe(expected, {
        I: greeting('i', '2025-03-26'),
        B: [says({ id: 'a', result: {} })],
      });
    }),
  );

  it(
    'refuses a batch elsewhere, and initialize inside one',
    marbles(({ hot, expectObservable }) => {
      const why = 'Invalid Request: a line is one message, except in revision 2025-03-26';
      expectObservable(hot('i-b-|', { i: lines.i, b: `[${lines.p}]` }).pipe(server())).toBe('I-B-|', {
        I: HELLO,
        B: error(null, -32600, why),
      });
      const again = { i: initialize('i', '2025-03-26'), b: `[${initialize('k', '2025-03-26')}]` };
      expectObservable(hot('i-b-|', again).pipe(server())).toBe('I-B-|', {
        I: greeting('i', '2025-03-26'),
        B: [error('k', -32600, 'Invalid Request: initialize must not be part of a batch')],
      });
    }),
  );

  it(
    'sends every event of the agent with the request it belongs to',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  i-h----|', lines);
      const expected = '   I-(EFH)|';
      const event = (msg: object) =>
        says({ method: 'codex/event', params: { _meta: { requestId: 1, threadId: THREAD }, id: '1', msg } });
      const E = event({ type: 'task_started', model_context_window: null, turn_id: 'turn' });
      const F = event({ type: 'task_complete', last_agent_message: 'hi', turn_id: 'turn' });
      expectObservable(line$.pipe(server({ events: 'codex' }))).toBe(expected, { I: HELLO, E, F, H: result(1, 'hi') });
    }),
  );

  it(
    'beats for a client that gave a token, and stops with the answer',
    marbles(({ hot, expectObservable }) => {
      const g = call(1, 'go on', { _meta: { progressToken: 9007199254740993n.toString() } });
      const line$ = hot('  i-g 12s    x      6s  |', { ...lines, g });
      const expected = '   I- 20ms A 4979ms B 4999ms C 8001ms |';
      const beat = (progress: number, message = 'thinking') =>
        says({
          method: 'notifications/progress',
          params: { progressToken: '9007199254740993', progress, message },
        });
      expectObservable(line$.pipe(server())).toBe(expected, {
        I: HELLO,
        A: beat(1),
        B: beat(2),
        C: beat(3, 'thinking (over 5 s)'),
      });
    }),
  );

  it(
    'shows its log from the level that was set',
    marbles(({ hot, expectObservable }) => {
      const record$ = hot('----r-s-|', {
        r: { level: 'info' as const, message: 'small' },
        s: { level: 'warning' as const, message: 'grave', fields: { of: 'note' } },
      });
      const line$ = hot('  i-l-----|', { ...lines, l: asks('l', 'logging/setLevel', { level: 'notice' }) });
      const expected = '   I-L---S-|';
      const S = says({
        method: 'notifications/message',
        params: { level: 'warning', logger: 'codex-rx', data: { message: 'grave', of: 'note' } },
      });
      const sent = { I: HELLO, L: says({ id: 'l', result: {} }), S };
      expectObservable(line$.pipe(server({ record$ }))).toBe(expected, sent);
    }),
  );

  describe('with a client of 2026-07-28', () => {
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'codex-rx', title: 'Codex', version: '0.1.0' } };
    const whole = (message: unknown) => {
      const { result: content, ...rest } = message as { result: object };
      return { ...rest, result: { resultType: 'complete', ...content, _meta: serverInfo } };
    };
    const needed = (id: unknown, keys: string[]) =>
      says({
        id,
        result: {
          resultType: 'input_required',
          inputRequests: Object.fromEntries(
            keys.map((key) => [
              key,
              { method: 'elicitation/create', params: expect.objectContaining({ threadId: THREAD }) },
            ]),
          ),
          requestState: expect.any(String),
          _meta: serverInfo,
        },
      });
    const stateOf = (callId: string, changes: Partial<RequestState> = {}): string =>
      sealer({ key: () => Buffer.from('key'), clockMs: () => 0 }).seal({
        callId,
        digest: digestOf('codex', { prompt: 'ask' }),
        keys: ['approval-0'],
        misread: [],
        expires: 600_000,
        ...changes,
      });
    const retry = (id: unknown, responses: object) =>
      modern(call(id, 'ask', { requestState: stateOf('call-0'), inputResponses: responses }));
    const yes = { 'approval-0': { action: 'accept', content: { decision: 'approved' } } };

    it(
      'ends the request with the question and goes on with the retry',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  q---y-|', { q: modern(call(1, 'ask')), y: retry(2, yes) });
        const expected = '   Q---T-|';
        const sent = { Q: needed(1, ['approval-0']), T: whole(result(2, 'approved')) };
        expectObservable(line$.pipe(server())).toBe(expected, sent);
      }),
    );

    it(
      'goes on with the retry although the clock of the machine was set to another day',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  q---y-|', { q: modern(call(1, 'ask')), y: retry(2, yes) });
        const expected = '   Q---T-|';
        const sent = { Q: needed(1, ['approval-0']), T: whole(result(2, 'approved')) };
        expectObservable(line$.pipe(server({ now: () => Date.UTC(2100, 0) }))).toBe(expected, sent);
      }),
    );

    it(
      'asks again for an answer that is missing, of another question, or not understood',
      marbles(({ hot, expectObservable }) => {
        const bad = { 'approval-0': { action: 'accept', content: [] } };
        const other = { 'form-0': yes['approval-0'], 'approval-1': yes['approval-0'] };
        const line$ = hot('  q-m-o-r-b-y-|', {
          q: modern(call(1, 'ask')),
          m: retry(2, {}),
          o: retry(3, other),
          r: JSON.stringify({ jsonrpc: '2.0', id: 0, result: yes['approval-0'] }),
          b: retry(4, bad),
          y: retry(5, { ...yes, extra: 1 }),
        });
        const expected = '   Q-M-O---B-T-|';
        const sent = {
          Q: needed(1, ['approval-0']),
          M: needed(2, ['approval-0']),
          O: needed(3, ['approval-0']),
          B: needed(4, ['approval-0']),
          T: whole(result(5, 'approved')),
        };
        expectObservable(line$.pipe(server())).toBe(expected, sent);
      }),
    );

    it(
      'declines with the reason if the second answer is not understood either',
      marbles(({ hot, expectObservable }) => {
        const bad = { 'approval-0': { action: 'perhaps' } };
        const requestState = stateOf('call-0', { misread: ['approval-0'] });
        const line$ = hot('  q-b-|', {
          q: modern(call(1, 'ask')),
          b: modern(call(2, 'ask', { requestState, inputResponses: bad })),
        });
        const expected = '   Q-T-|';
        const text = 'denied\n\nNot done: `touch`: the answer of the client could not be understood';
        expectObservable(line$.pipe(server())).toBe(expected, {
          Q: needed(1, ['approval-0']),
          T: whole(result(2, text)),
        });
      }),
    );

    it(
      'refuses a state that was tampered with, is of another call, or is over',
      marbles(({ hot, expectObservable }) => {
        const t = modern(call(2, 'ask', { requestState: `${stateOf('call-0').slice(0, -2)}@@`, inputResponses: yes }));
        const o = modern(call(3, 'other', { requestState: stateOf('call-0'), inputResponses: yes }));
        const g = modern(call(4, 'ask', { requestState: stateOf('gone'), inputResponses: yes }));
        const line$ = hot('  q-t-o-g-|', { q: modern(call(1, 'ask')), t, o, g });
        const expected = '   Q-T-O-G-|';
        const bad = 'Invalid params: params.requestState was not made by this server; call the tool again';
        expectObservable(line$.pipe(server())).toBe(expected, {
          Q: needed(1, ['approval-0']),
          T: error(2, -32602, bad),
          O: error(3, -32602, 'Invalid params: params.requestState belongs to another call'),
          G: error(4, -32602, 'Invalid params: the call that params.requestState names is over'),
        });
      }),
    );

    it(
      'sends nothing more of a call that was cancelled',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  g--x---|', { g: modern(call(1, 'go on')), x: lines.x });
        const expected = '   E------|';
        const E = expect.objectContaining({ method: 'codex/event' });
        expectObservable(line$.pipe(server({ events: 'codex' }))).toBe(expected, { E });
      }),
    );

    it(
      'acknowledges a subscription to nothing and closes it at the end',
      marbles(({ hot, expectObservable }) => {
        const l = modern(asks('s', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
        const line$ = hot('  l--|', { l });
        const expected = '   A--(Z|)';
        const subscription = { 'io.modelcontextprotocol/subscriptionId': 's' };
        const A = says({
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: {}, _meta: subscription },
        });
        const Z = says({ id: 's', result: { resultType: 'complete', _meta: { ...serverInfo, ...subscription } } });
        expectObservable(line$.pipe(server())).toBe(expected, { A, Z });
      }),
    );

    it(
      'serves both eras side by side',
      marbles(({ hot, expectObservable }) => {
        const line$ = hot('  m-i-m-p-|', { ...lines, m: modern(call(1, 'say hi')) });
        const expected = '   M-I-M-P-|';
        expectObservable(line$.pipe(server())).toBe(expected, { M: whole(result(1, 'hi')), I: HELLO, P: PONG });
      }),
    );
  });
});
