/** Whole flows of the Codex methods that need the machine: lines of a client in, lines of the daemon out. */
import { concat, map, NEVER, of } from 'rxjs';
import type { CodexHost } from '../../../src/protocol/methods/host';
import { faceOf } from '../../../src/server/faces/faceOf';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { hostWith } from '../../protocol/methods/host';
import { threadsEngine, uuid } from '../../support/conversations';
import { marbles } from '../../support/marbles';
import { asks, mcpDeps } from '../../support/mcp';

const A = uuid(7);
const PATH = '/home/sessions/a.jsonl';
const LINES: Record<string, string> = {
  a: asks(1, 'loginChatGpt'),
  b: asks(2, 'loginChatGpt'),
  x: asks(3, 'cancelLoginChatGpt', { loginId: uuid(100) }),
  p: asks(4, 'ping'),
  s: asks(5, 'sendUserMessage', { conversationId: A, items: [{ type: 'text', data: { text: '4' } }] }),
  r: asks(6, 'resumeConversation', { conversationId: A }),
  l: asks(7, 'addConversationListener', { conversationId: A }),
};

const note = (method: string, params: object) => ({ jsonrpc: '2.0', method: `codex/event/${method}`, params });
const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const event = (msg: object) => note((msg as { type: string }).type, { id: '0', msg, conversationId: A });
const opened = (id: number, login: number) => answer(id, { loginId: uuid(login), authUrl: 'https://login' });
const ended = (login: number, error: string) =>
  note('login_chat_gpt_complete', { loginId: uuid(login), success: false, error });
const NOT_COMPLETED = 'Login server error: Login was not completed';

const VALUES = {
  A: opened(1, 100),
  B: opened(2, 101),
  X: answer(3, {}),
  P: answer(4, {}),
  E: ended(100, NOT_COMPLETED),
  N: { jsonrpc: '2.0', id: 5, error: { code: -32600, message: `conversation not found: ${A}` } },
  R: answer(6, { conversationId: A, model: 'm', rolloutPath: PATH }),
  L: answer(7, { subscriptionId: uuid(101) }),
  S: answer(5, {}),
  T: event({ type: 'task_started', model_context_window: null }),
  M: event({ type: 'agent_message', message: '4' }),
  Z: event({ type: 'task_complete', last_agent_message: '4' }),
};

/** The face of 0.28 sends each notification once. */
const flow = (input: string, expected: string, host: Partial<CodexHost>, account: Partial<CodexHost['account']> = {}) =>
  marbles(({ hot, expectObservable }) => {
    let ids = 100;
    const none = hostWith(host);
    const deps = mcpDeps({
      engine: threadsEngine({ stored: [A] }),
      newCallId: () => uuid(ids++),
      codexHost: () => ({ ...none, account: { ...none.account, ...account } }),
    });
    const face = faceOf('0.28', '0.1.0');
    expectObservable(
      hot(input, LINES).pipe(
        mcpServer({ ...deps, face }),
        map((text) => JSON.parse(text)),
      ),
    ).toBe(expected, VALUES);
  });

const waiting$ = concat(of({ kind: 'waiting', url: 'https://login' } as const), NEVER);

describe('a login of the Codex methods', () => {
  it('is cancelled by its id; others are served meanwhile', flow('a-p-x---|', 'A-P-(XE)|', {}, { login$: waiting$ }));

  it(
    'is replaced by a second one, and ended by the end of input',
    flow('a---b---|', 'A---(EB)|', {}, { login$: waiting$ }),
  );
});

describe('a conversation on disk', () => {
  it(
    'is resumed after a restart, and goes on for its listeners',
    flow('s-r-----l---s----------|', 'N-R-----L---(ST)(MZ)---|', {
      findStored: () => of({ id: A, path: PATH, model: 'm' }),
    }),
  );
});
