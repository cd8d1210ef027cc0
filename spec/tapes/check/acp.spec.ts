import { checkSession } from '../../../src/tapes/check/checkSession';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

type Sent = readonly ['in' | 'out', object];

const ask = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const answer = (id: number, result: unknown) => ({ jsonrpc: '2.0', id, result });
const update = (change: object, sessionId = 's') => ({
  method: 'session/update',
  params: { sessionId, update: change },
});
const tool = (status: string) => update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'ls', status });
const chunk = (content: object) => update({ sessionUpdate: 'agent_message_chunk', content });
const permission = (id: number) =>
  ask(id, 'session/request_permission', {
    sessionId: 's',
    toolCall: { toolCallId: 't' },
    options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
  });
const selected = (id: number, optionId: string) => answer(id, { outcome: { outcome: 'selected', optionId } });

const capabilities = { fs: { readTextFile: true } };
const OPENED: Sent[] = [
  ['in', ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: capabilities })],
  ['out', answer(0, { protocolVersion: 1, agentCapabilities: { loadSession: true } })],
  ['in', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
  ['out', answer(1, { sessionId: 's' })],
  ['in', ask(2, 'session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] })],
];
const WITH_TERMINALS: Sent[] = [
  ['in', ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: { terminal: true } })],
  ...OPENED.slice(1),
];
/** What is found in a session from its first prompt on, which is line 6 of the tape with its meta line. */
const found = (...sent: Sent[]): string[] => foundIn([...OPENED, ...sent]);
const foundIn = (sent: readonly Sent[]): string[] => {
  const index = toSessionIndex(
    sessionFrom(...sent.map(([dir, message], t): [number, string, object] => [t, dir, message])),
  );
  return checkSession(index, { allowed: ['hung', 'unanswered', 'error'], forbidden: [] }).map(
    ({ rule, lineNumber, what, text }) => `${rule} ${lineNumber} ${what}: ${text}`,
  );
};

describe('ACP', () => {
  it('finds nothing in a turn with a tool, a permission, a file of the client and a late title', () => {
    const turn: Sent[] = [
      ['out', chunk({ type: 'text', text: 'Hi' })],
      ['out', tool('pending')],
      ['out', permission(0)],
      ['in', selected(0, 'yes')],
      ['out', ask(1, 'fs/read_text_file', { sessionId: 's', path: '/w/a', line: null })],
      ['in', answer(1, { content: 'a' })],
      ['out', update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' })],
      ['out', answer(2, { stopReason: 'end_turn' })],
      ['out', update({ sessionUpdate: 'session_info_update', title: 'Late' })],
    ];
    expect(found(...turn)).toEqual([]);
  });

  it.each<[string, Sent, string]>([
    [
      'a member that is missing',
      ['out', chunk({ type: 'text' })],
      '6 session/update agent_message_chunk: params.update.content.text is missing',
    ],
    [
      'a kind that is not known',
      ['out', chunk({ type: 'html', html: '' })],
      '6 session/update agent_message_chunk: params.update.content.type must be one of text, image, audio, resource_link, resource',
    ],
    [
      'a word that is not known',
      ['out', tool('done')],
      '6 session/update tool_call: params.update.status must be "pending", "in_progress", "completed" or "failed"',
    ],
    [
      'a result that is no object',
      ['out', answer(2, null)],
      '6 the response to session/prompt: result must be an object, not null',
    ],
    [
      'a file that the client does not offer',
      ['out', ask(0, 'fs/write_text_file', { sessionId: 's', path: '/w/a', content: '' })],
      '6 fs/write_text_file: the client did not declare fs.writeTextFile',
    ],
    [
      'a request that the agent does not offer',
      ['in', ask(3, 'session/list', {})],
      '6 session/list: the agent did not declare sessionCapabilities.list',
    ],
    [
      'a session that nobody has opened',
      ['out', update({ sessionUpdate: 'usage_update', used: 1, size: 2 }, 'other')],
      '6 session/update usage_update: the client does not know this session yet',
    ],
  ])('finds %s', (_, sent, fault) => {
    expect(found(sent)).toEqual([`protocol ${fault}`]);
  });

  it('finds the use of a terminal that the client has not named, or that was released', () => {
    const use = (id: number, method: string, sessionId = 's') =>
      ['out', ask(id, `terminal/${method}`, { sessionId, terminalId: 'a' })] as const;
    const made: Sent[] = [
      ...WITH_TERMINALS,
      ['out', ask(0, 'terminal/create', { sessionId: 's', command: 'ls' })],
      ['in', answer(0, { terminalId: 'a' })],
    ];
    expect(foundIn([...made, use(1, 'output'), use(2, 'kill'), use(3, 'release')])).toEqual([]);
    const fault = 'the client has no terminal "a"';
    expect(foundIn([...WITH_TERMINALS, use(0, 'output')])).toEqual([`protocol 6 terminal/output: ${fault}`]);
    expect(foundIn([...made, use(1, 'release'), use(2, 'kill')])).toEqual([`protocol 9 terminal/kill: ${fault}`]);
    expect(foundIn([...made, use(1, 'kill', 'x')])).toContain(`protocol 8 terminal/kill: ${fault}`);
  });

  it('finds an option that was not offered', () => {
    expect(found(['out', permission(0)], ['in', selected(0, 'no')])).toEqual([
      'protocol 7 the response to session/request_permission: the option "no" was not offered',
    ]);
  });

  it('finds a tool call that is left running by a turn that ended, unless the turn was cancelled', () => {
    expect(found(['out', tool('in_progress')], ['out', answer(2, { stopReason: 'end_turn' })])).toEqual([
      'protocol 7 the response to session/prompt: the turn ended, but these tool calls did not: t',
    ]);
    expect(found(['out', tool('in_progress')], ['out', answer(2, { stopReason: 'cancelled' })])).toEqual([]);
  });

  it('finds a cancelled prompt that ends with an error', () => {
    const cancel: Sent = ['in', { method: 'session/cancel', params: { sessionId: 's' } }];
    expect(found(cancel, ['out', { id: 2, error: { code: -32800, message: 'cancelled' } }])).toEqual([
      'protocol 7 the response to session/prompt: a cancelled prompt must have the stop reason cancelled, not an error',
    ]);
  });

  it('takes the error of a cancelled request, if the request was cancelled and not the turn', () => {
    const cancelled = { jsonrpc: '2.0', id: 2, error: { code: -32800, message: 'x' } };
    expect(found(['in', { method: '$/cancel_request', params: { requestId: 2 } }], ['out', cancelled])).toEqual([]);
    expect(found(['in', { method: 'session/cancel', params: { sessionId: 's' } }], ['out', cancelled])).toHaveLength(1);
  });

  it('finds nothing in methods that have the names of what every object has', () => {
    expect(found(['in', ask(3, 'constructor', {})], ['out', answer(3, {})], ['in', ask(4, '__proto__', {})])).toEqual(
      [],
    );
  });

  it('finds nothing in a session of a version without a published schema', () => {
    const wrong: Sent = ['out', { method: 'session/update', params: {} }];
    const asked: Sent = ['in', ask(0, 'initialize', { protocolVersion: 2 })];
    expect(foundIn([asked, ['out', answer(0, { protocolVersion: 2 })], wrong])).toEqual([]);
    expect(foundIn([asked, ['out', answer(0, { protocolVersion: 1 })], wrong])).toHaveLength(1);
  });
});
