import { distinctUntilChanged, map, toArray } from 'rxjs';
import { acpServer } from '../../../src/server/acp/acpServer';
import {
  acpAgent,
  acpDeps,
  answers,
  asks,
  cancels,
  chooses,
  FIRST,
  machineWith,
  notifies,
  opens,
  prompts,
  refuses,
  responds,
  SECOND,
  says,
  updates,
} from '../../support/acp';
import { threadsEngine } from '../../support/conversations';
import { marbles } from '../../support/marbles';

const lines = {
  i: asks('i', 'initialize', { protocolVersion: 9, clientCapabilities: { auth: { terminal: true } } }),
  n: opens('n'),
  m: opens('m'),
  e: asks('e', 'initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
  }),
  f: prompts('p', 'read'),
  h: answers(0, { content: '3' }),
  j: answers(0, { lines: [] }),
  p: prompts('p', '3'),
  o: prompts('o', '3', SECOND),
  q: prompts('q', 'ask'),
  g: prompts('g', 'go on'),
  y: chooses(0, 'allow_once'),
  a: chooses(0, 'allow_always'),
  r: chooses(0, 'reject_once'),
  z: answers(0, { outcome: { outcome: 'cancelled' } }),
  x: cancels(),
  w: notifies('$/cancel_request', { requestId: 'g' }),
  l: asks('l', 'session/load', { sessionId: SECOND, cwd: '/w', mcpServers: [] }),
  k: asks('k', 'session/fork', { sessionId: FIRST, cwd: '/w' }),
  s: asks('s', 'session/close', { sessionId: FIRST }),
};

const COMMANDS = updates({ sessionUpdate: 'available_commands_update' });
const opened = (id: string, sessionId: string) => responds(id, expect.objectContaining({ sessionId }));
const tool = (fields: object) => updates({ toolCallId: 'c', ...fields });

/** The answers that are the same in all specs. */
const sent = {
  N: opened('n', FIRST),
  C: COMMANDS,
  T: updates({ sessionUpdate: 'session_info_update' }),
  P: responds('p', { stopReason: 'end_turn' }),
  Q: responds('q', { stopReason: 'end_turn' }),
  X: responds('q', { stopReason: 'cancelled' }),
  G: responds('g', { stopReason: 'cancelled' }),
  D: tool({ sessionUpdate: 'tool_call', status: 'pending' }),
  F: tool({ sessionUpdate: 'tool_call_update', status: 'failed' }),
  A: says({
    id: 0,
    method: 'session/request_permission',
    params: expect.objectContaining({ sessionId: FIRST, toolCall: expect.objectContaining({ toolCallId: 'c' }) }),
  }),
  M: updates({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '3' } }),
};

describe('acpServer', () => {
  it(
    'answers initialize with its own version, whatever the client offers',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('i-|', lines);
      expectObservable(line$.pipe(acpAgent())).toBe('I-|', {
        I: responds('i', {
          protocolVersion: 1,
          agentCapabilities: expect.objectContaining({ loadSession: true }),
          agentInfo: { name: 'codex-rx', title: 'codex-rx', version: '0.1.0' },
          authMethods: [
            expect.objectContaining({ id: 'terminal', type: 'terminal', args: ['--login'] }),
            expect.objectContaining({ id: 'present' }),
          ],
          _meta: { steering: { supported: true } },
        }),
      });
    }),
  );

  it(
    'shows a turn by updates, and answers its prompt after them',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---p-------|', lines);
      const expected = '   (NC)T--(MP)-|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, sent);
    }),
  );

  it(
    'lists the commands of a copy when its client has had time to learn its id',
    marbles(({ hot, expectObservable }) => {
      const codexHost = () => machineWith({ [FIRST]: '' });
      const deps = { codexHost, engine: threadsEngine({ stored: [SECOND] }) };
      const all = {
        ...sent,
        K: opened('k', SECOND),
        S: updates({ sessionUpdate: 'available_commands_update' }, SECOND),
      };
      const line$ = hot('  k 54ms |', lines);
      const expected = '   K 49ms S----|';
      expectObservable(line$.pipe(acpAgent(deps))).toBe(expected, all);
      expectObservable(hot('k--|', lines).pipe(acpAgent(deps))).toBe('K--|', all);
    }),
  );

  it(
    'asks for a permission, and goes on with the yes',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---q----y-------|', lines);
      const expected = '   (NC)(TDA)(FQ)----|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, sent);
    }),
  );

  it(
    'asks for a file, and goes on with its text, or without it',
    marbles(({ hot, expectObservable }) => {
      const read = { id: 0, method: 'fs/read_text_file', params: { sessionId: FIRST, path: '/w/a' } };
      const text = 'the answer of the client has no text';
      const none = updates({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      const all = {
        ...sent,
        R: says(read),
        O: none,
        W: says({ method: '$/cancel_request', params: { requestId: 0 } }),
      };
      expectObservable(hot('n---f----h---h--|', lines).pipe(acpAgent())).toBe('(NC)(TR)-(MP)---|', all);
      expectObservable(hot('n---f----j---h--|', lines).pipe(acpAgent())).toBe('(NC)(TR)-(OP)---|', all);
      expectObservable(hot('n---f----x---h--|', lines).pipe(acpAgent())).toBe('(NC)(TR)-(WX)---|', {
        ...all,
        X: responds('p', { stopReason: 'cancelled' }),
      });
    }),
  );

  it(
    'declines with the no, and the turn goes on; the outcome cancelled stops the turn',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('n---q----r-------|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FQ)----|', sent);
      expectObservable(hot('n---q----z-------|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FX)----|', sent);
    }),
  );

  it(
    'counts one answer to a question, and none that comes after the end',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('n---q----(ra)---ay-|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FQ)------|', sent);
    }),
  );

  it(
    'answers a prompt that is cancelled while its client is asked, whether the question is answered or not',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('n---q----x----|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FX)-|', sent);
      expectObservable(hot('n---q----(xzy)|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FX)-|', sent);
      expectObservable(hot('n---q----(zxx)|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FX)-|', sent);
    }),
  );

  it(
    'answers a prompt whose request is cancelled with -32800',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---g--w--w|', lines);
      const expected = '   (NC)T--E---|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, { ...sent, E: refuses('g', -32800) });
    }),
  );

  it(
    'refuses a second prompt of a session, and serves two sessions at once',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---m---p-o-p--------|', { ...lines, p: prompts('p', '9') });
      const expected = '   (NC)(SD)T-U-E(OR)(MP)|';
      expectObservable(line$.pipe(acpAgent())).toBe(expected, {
        ...sent,
        S: opened('m', SECOND),
        D: updates({ sessionUpdate: 'available_commands_update' }, SECOND),
        U: updates({ sessionUpdate: 'session_info_update' }, SECOND),
        E: refuses('p', -32600),
        O: updates({ sessionUpdate: 'agent_message_chunk' }, SECOND),
        R: responds('o', { stopReason: 'end_turn' }),
        M: updates({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '9' } }),
      });
    }),
  );

  it(
    'answers everything when the client is gone',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('n---g----|', lines).pipe(acpAgent())).toBe('(NC)T----(G|)', sent);
      expectObservable(hot('n---q----|', lines).pipe(acpAgent())).toBe('(NC)(TDA)(FWX|)', {
        ...sent,
        W: says({ method: '$/cancel_request', params: { requestId: 0 } }),
      });
    }),
  );

  it(
    'stops the running prompt of a session that is closed, and refuses prompts to it',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  n---g---s---p-|', lines);
      const expected = '   (NC)T---(GS)E-|';
      const more = { S: responds('s', {}), E: refuses('p', -32002) };
      expectObservable(line$.pipe(acpAgent())).toBe(expected, { ...sent, ...more });
    }),
  );

  it(
    'replays a thread that is loaded before the response, however long it is',
    marbles(({ hot, expectObservable }) => {
      const machine = machineWith({ [SECOND]: rolloutOf(2_000) });
      const kind$ = hot('l 9ms |', lines).pipe(
        acpServer(acpDeps({ engine: threadsEngine({ stored: [SECOND] }), codexHost: () => machine })),
        map((text) => JSON.parse(text)),
        map(({ id, params }) => id ?? params.update.sessionUpdate),
        toArray(),
      );
      const past = Array.from({ length: 2_000 }, () => ['user_message_chunk', 'agent_message_chunk']).flat();
      expectObservable(kind$).toBe('10ms (A|)', { A: [...past, 'l', 'available_commands_update'] });
    }),
  );

  it(
    'answers other requests while it replays a long thread',
    marbles(({ hot, expectObservable }) => {
      const machine = machineWith({ [SECOND]: rolloutOf(2_000) });
      const id$ = hot('l-q 9ms |', { ...lines, q: asks('q', 'providers/list') }).pipe(
        acpServer(acpDeps({ engine: threadsEngine({ stored: [SECOND] }), codexHost: () => machine })),
        map((text) => JSON.parse(text).id ?? 'update'),
        distinctUntilChanged(),
        toArray(),
      );
      expectObservable(id$).toBe('12ms (A|)', { A: ['update', 'q', 'update', 'l', 'update'] });
    }),
  );
});

const rolloutOf = (turns: number): string =>
  [
    { type: 'session_meta', payload: { id: SECOND, cwd: '/w' } },
    ...Array.from({ length: turns }, (_, i) => [
      { type: 'event_msg', payload: { type: 'user_message', message: `prompt ${i}` } },
      { type: 'event_msg', payload: { type: 'agent_message', message: `answer ${i}` } },
    ]).flat(),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
