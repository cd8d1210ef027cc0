/** Whole flows of the Codex methods: lines of a client in, lines of the daemon out. */
import { map } from 'rxjs';
import type { McpDeps } from '../../../src/server/mcp/mcpDeps';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { threadsEngine, uuid } from '../../support/conversations';
import { marbles } from '../../support/marbles';
import { answers, asks, call, mcpDeps } from '../../support/mcp';

const [A, B] = [uuid(1), uuid(2)];
const items = (text: string) => [{ type: 'text', data: { text } }];
const send = (id: number, conversationId: string, text: string) =>
  asks(id, 'sendUserMessage', { conversationId, items: items(text) });
const listen = (id: number, conversationId: string) => asks(id, 'addConversationListener', { conversationId });
const interrupt = (id: number, conversationId: string) => asks(id, 'interruptConversation', { conversationId });

const LINES: Record<string, string> = {
  n: asks(1, 'newConversation', {}),
  N: asks(2, 'newConversation', {}),
  l: listen(3, A),
  L: listen(4, B),
  m: listen(4, A),
  s: send(5, A, 'ask'),
  S: send(6, B, 'ask'),
  y: answers(0, { decision: 'approved' }),
  Y: answers(1, { decision: 'denied' }),
  t: send(7, A, '9'),
  g: send(8, A, 'go on'),
  i: interrupt(9, A),
  p: asks(10, 'ping'),
  c: call(11, '4'),
  k: asks(12, 'removeConversationListener', { subscriptionId: uuid(102) }),
  K: asks(12, 'removeConversationListener', { subscriptionId: uuid(101) }),
  C: call(11, 'go on'),
  u: send(13, uuid(9), 'x'),
  e: asks(14, 'sendUserMessage', { conversationId: A, items: [{ type: 'text', text: 'x' }] }),
  o: asks(16, 'thread/compact/start', { threadId: A }),
  O: asks(16, 'thread/compact/start', { threadId: uuid(9) }),
  x: asks(17, 'thread/unsubscribe', { threadId: A }),
  X: asks(17, 'thread/unsubscribe', { threadId: uuid(9) }),
  E: asks(15, 'sendUserMessage', { conversationId: A, items: [] }),
};

type Line = {
  id?: number;
  method?: string;
  params?: { conversationId?: string; subscriptionId?: string; requestId?: number };
  result?: object;
  error?: { code: number; message: string };
};

/** A line in short: `5 {}`, `1 task_started 102`, `? 0 execCommandApproval`; conversations and listeners by their last digits. */
const brief = (text: string): string => {
  const { id, method, params, result, error } = JSON.parse(text) as Line;
  if (error) return `${id} ${error.code} ${error.message}`;
  if (text.includes('The turn was stopped')) return `${id} stopped`;
  if (method === undefined) return `${id} ${JSON.stringify(result).replaceAll(/0{8}-0000-4000-8000-0*/g, '')}`;
  if (id !== undefined) return `? ${id} ${method}`;
  const { conversationId, subscriptionId, requestId } = params ?? {};
  const names = [lastDigits(conversationId), method.replace('codex/event/', ''), lastDigits(subscriptionId), requestId];
  return names.filter((name) => name !== undefined).join(' ');
};

const lastDigits = (id: string | undefined): string | undefined => id?.replace(/^.*-0*/, '');

const daemon = (deps: Partial<McpDeps> = {}) => {
  let ids = 0;
  return mcpServer(mcpDeps({ engine: threadsEngine(), newCallId: () => uuid(100 + ids++), ...deps }));
};

const flow = (
  input: string,
  expected: string,
  out: Record<string, string>,
  deps: () => Partial<McpDeps> = () => ({}),
) =>
  marbles(({ hot, expectObservable }) => {
    expectObservable(hot(input, LINES).pipe(daemon(deps()), map(brief))).toBe(expected, out);
  });

const OPENED = {
  a: '1 {"conversationId":"1","model":"m"}',
  b: '2 {"conversationId":"2","model":"m"}',
};
const INTERRUPTED = '9 {"abortReason":"interrupted"}';

describe('conversations of the Codex methods', () => {
  it(
    'go on side by side, each with its own approvals',
    flow(
      '  n 9ms N 9ms l 9ms L 9ms s      9ms S      9ms Y 9ms y 9ms |',
      '  a 9ms b 9ms c 9ms d 9ms (efgh) 4ms (ijkm) 4ms q 9ms r 9ms |',
      {
        ...OPENED,
        c: '3 {"subscriptionId":"102"}',
        d: '4 {"subscriptionId":"103"}',
        e: '5 {}',
        f: '1 task_started 102',
        g: '1 exec_approval_request 102',
        h: '? 0 execCommandApproval',
        i: '6 {}',
        j: '2 task_started 103',
        k: '2 exec_approval_request 103',
        m: '? 1 execCommandApproval',
        q: '2 task_complete 103',
        r: '1 task_complete 102',
      },
    ),
  );

  it(
    'send the first listener what was kept for it, and a second one what follows',
    flow(
      '  n 9ms t--l---m-----------|',
      '  a 9ms e--(cf)d-(ghij)----|', // the turn takes nine frames
      {
        a: OPENED.a,
        e: '7 {}',
        c: '3 {"subscriptionId":"102"}',
        f: '1 task_started 102',
        d: '4 {"subscriptionId":"103"}',
        g: '1 agent_message 102',
        h: '1 agent_message 103',
        i: '1 task_complete 102',
        j: '1 task_complete 103',
      },
    ),
  );

  it(
    'ask the first listener what was asked before it came, and go on without listeners',
    flow('  n 9ms s--l       7ms k 9ms y--------|', '  a 9ms e--(cfgh)  2ms K 9ms ---------|', {
      a: OPENED.a,
      e: '5 {}',
      c: '3 {"subscriptionId":"102"}',
      f: '1 task_started 102',
      g: '1 exec_approval_request 102',
      h: '? 0 execCommandApproval',
      K: '12 {}',
    }),
  );

  it(
    'are interrupted, or have just ended: the request is answered',
    flow(
      '  n 9ms t--------i--|',
      '  a 9ms e--------i--|', // in the frame in which the turn ends, but before it
      { a: OPENED.a, e: '7 {}', i: INTERRUPTED },
    ),
  );

  it(
    'are interrupted when nothing runs, and the request is answered',
    flow('n 9ms i-|', 'a 9ms i-|', { a: OPENED.a, i: INTERRUPTED }),
  );

  it(
    'emit turn_aborted for their listener before the interrupt is answered',
    flow('n 9ms l 9ms g 9ms i      9ms |', 'a 9ms c 9ms (ef) 6ms (xi) 6ms |', {
      a: OPENED.a,
      c: '3 {"subscriptionId":"101"}',
      e: '8 {}',
      f: '1 task_started 101',
      x: '1 turn_aborted 101',
      i: INTERRUPTED,
    }),
  );

  it(
    'are opened side by side: one that takes its time holds up nobody',
    flow('npN----|', '-pb--a-|', { ...OPENED, p: '10 {}' }, () => ({ engine: threadsEngine({ slow: true }) })),
  );

  it(
    'end with the input, with everything open',
    flow('  n 9ms l 9ms s      9ms C----|', '  a 9ms c 9ms (efgh) 4ms -----(wr|)', {
      a: OPENED.a,
      c: '3 {"subscriptionId":"101"}',
      e: '5 {}',
      f: '1 task_started 101',
      g: '1 exec_approval_request 101',
      h: '? 0 execCommandApproval',
      w: 'notifications/cancelled 0',
      r: '11 stopped',
    }),
  );

  it(
    'that a tool began have listeners too; the tool gets its result all the same',
    flow('c-l------K-|', '--c-(fgr)K-|', {
      c: '3 {"subscriptionId":"101"}',
      f: '1 agent_message 101',
      g: '1 task_complete 101',
      K: '12 {}',
      r: '11 {"content":[{"type":"text","text":"4"}],"structuredContent":{"threadId":"1","content":"4","durationMs":0,"changes":[],"commands":0,"notDone":[]}}',
    }),
  );

  const COMPACTED = { o: '16 {}', s: '1 task_started 101', c: '1 context_compacted 101', z: '1 task_complete 101' };
  const LISTENED = { a: OPENED.a, l: '3 {"subscriptionId":"101"}' };
  const CLOSED = { x: '17 {"status":"unsubscribed"}', X: 'thread/closed' };

  it(
    'are summarised: the request is answered at once, the turn has its events',
    flow('n 9ms l 9ms o    9ms |', 'a 9ms l 9ms (os)-(cz)-|', { ...LISTENED, ...COMPACTED }),
  );

  it(
    'are summarised after the turn that runs',
    flow('n 9ms l 9ms t----o 9ms ---|', 'a 9ms l 9ms (tS)-o---(mzS)(cz)|', {
      ...LISTENED,
      ...COMPACTED,
      t: '7 {}',
      m: '1 agent_message 101',
      S: '1 task_started 101',
    }),
  );

  it(
    'are not summarised if the client has none of that id',
    flow('O|', 'O|', { O: '16 -32600 conversation not found: 00000000-0000-4000-8000-000000000009' }),
  );

  it(
    'are closed: the turn stops first, then the request is answered, then the notification',
    flow('n 9ms l 9ms g 9ms x 9ms |', 'a 9ms l 9ms (gs) 6ms (AxX) 5ms |', {
      ...LISTENED,
      ...CLOSED,
      g: '8 {}',
      s: '1 task_started 101',
      A: '1 turn_aborted 101',
    }),
  );

  it(
    'are closed when nothing runs',
    flow('n 9ms x   9ms |', 'a 9ms (xX) 6ms |', {
      a: OPENED.a,
      ...CLOSED,
    }),
  );

  it(
    'are not loaded if the client has none of that id: nothing is closed',
    flow('X|', 'X|', { X: '17 {"status":"notLoaded"}' }),
  );

  it(
    'are closed while they are summarised',
    flow('n 9ms l 9ms o---x 9ms |', 'a 9ms l 9ms (os)(AxX) 5ms |', {
      ...LISTENED,
      ...COMPACTED,
      ...CLOSED,
      A: '1 turn_aborted 101',
    }),
  );

  it(
    'are not found, or not sent to if the params are wrong',
    flow('n 9ms uEe|', 'a 9ms uEe|', {
      a: OPENED.a,
      u: '13 -32600 conversation not found: 00000000-0000-4000-8000-000000000009',
      E: '15 {}',
      e: '14 -32602 Invalid params: params.items.0.data is missing',
    }),
  );
});
