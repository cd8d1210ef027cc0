import { checker, checkSession } from '../../../src/tapes/check/checkSession';
import { type CheckOptions, RULES, type Rule } from '../../../src/tapes/check/finding';
import { readParts } from '../../../src/tapes/session/readParts';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

type Sent = [dir: 'in' | 'out', message: object, t?: number];

const ONLY: readonly Rule[] = ['protocol', 'deprecated'];
const options: CheckOptions = { allowed: RULES.filter((rule) => !ONLY.includes(rule)), forbidden: [] };

const sessionOf = (...sent: Sent[]) => ({
  ...sessionFrom(
    ...sent.map(([dir, message, t], i): [number, string, object] => [t ?? i, dir, { jsonrpc: '2.0', ...message }]),
  ),
  meta: { recorder: 'a recorder' },
});

/** What is found, by the numbers of the lines behind the handshake. */
const found = (...sent: Sent[]): string[] =>
  checkSession(toSessionIndex(sessionOf(...sent)), options).map(
    ({ lineNumber, what, text }) => `${lineNumber} ${what}: ${text}`,
  );

const initialize = (capabilities = {}) => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
});
const initialized = (capabilities: object) => ({
  id: 0,
  result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } },
});
const SHAKEN: readonly Sent[] = [
  ['in', initialize()],
  ['out', initialized({ tools: {}, prompts: {}, resources: {} })],
];
const call = (id: number | string, more = {}) => ({ id, method: 'tools/call', params: { name: 'a', ...more } });
const done = (id: number | string, result: object = { content: [{ type: 'text', text: 'x' }] }) => ({ id, result });
const progress = (params: object) => ({ method: 'notifications/progress', params });
const token = (progressToken: number | string) => ({ _meta: { progressToken } });
const tools = (...listed: object[]): Sent[] => [
  ['in', { id: 9, method: 'tools/list' }],
  ['out', { id: 9, result: { tools: listed } }],
];
const outputSchema = {
  type: 'object',
  properties: { n: { type: 'number' }, pattern: { type: 'string', pattern: '^(a+)+$', format: 'uri' } },
  required: ['n'],
};
const typed = { name: 'a', inputSchema: { type: 'object' }, outputSchema };

describe('the rules of JSON-RPC', () => {
  it('find nothing in a session that keeps them', () => {
    expect(found(...SHAKEN, ['in', call(1)], ['in', call('1')], ['out', done('1')], ['out', done(1)])).toEqual([]);
  });

  it.each<[string, Sent[], string]>([
    [
      'a second response',
      [
        ['in', call(1)],
        ['out', done(1)],
        ['out', done(1)],
      ],
      '5 the response to tools/call a: a second response: its request has one in line 4',
    ],
    ['a response to nothing', [['out', done(77)]], '3 the response to 77: no request has the id 77'],
    [
      'an id of another type',
      [
        ['in', call(1)],
        ['out', done('1')],
        ['out', done(1)],
      ],
      '4 the response to tools/call a: its id is "1", and that of the request is 1',
    ],
    [
      'an id that waits already',
      [
        ['in', call(1)],
        ['in', call(1)],
        ['out', done(1)],
        ['out', done(1)],
      ],
      '4 tools/call a: the request of line 3, which has no response yet, has the id 1 too',
    ],
  ])('find %s', (_, sent, text) => {
    expect(found(...SHAKEN, ...sent)).toEqual([text]);
  });

  it('hold for other protocols too', () => {
    expect(found(['in', { id: 1, method: 'textDocument/hover' }], ['out', done(1)], ['out', done(1)])).toEqual([
      '3 the response to textDocument/hover: a second response: its request has one in line 2',
    ]);
  });
});

describe('the rules of MCP', () => {
  it.each<[string, Sent[]]>([
    [
      'progress that rises',
      [
        ['in', call(1, token(7))],
        ['out', progress({ progressToken: 7, progress: 1 })],
        ['out', progress({ progressToken: 7, progress: 2.5, total: 3, message: 'x' })],
        ['out', done(1)],
      ],
    ],
    [
      'progress of a task',
      [
        ['in', call(1, token(7))],
        ['out', done(1, { task: { taskId: 't' } })],
        ['out', progress({ progressToken: 7, progress: 1 })],
      ],
    ],
    [
      'structured content that fits',
      [...tools(typed), ['in', call(1)], ['out', done(1, { content: [], structuredContent: { n: 1, pattern: 'b' } })]],
    ],
    [
      'an error of a tool with an output schema',
      [...tools(typed), ['in', call(1)], ['out', done(1, { content: [], isError: true })]],
    ],
    [
      'a response that crosses its cancel',
      [
        ['in', call(1), 10],
        ['in', { method: 'notifications/cancelled', params: { requestId: 1 } }, 20],
        ['out', done(1), 900],
      ],
    ],
    [
      'an empty result',
      [
        ['in', { id: 1, method: 'ping' }],
        ['out', done(1, {})],
      ],
    ],
  ])('take %s', (_, sent) => {
    expect(found(...SHAKEN, ...sent)).toEqual([]);
  });

  it.each<[string, Sent[], string[]]>([
    [
      'content that is no list',
      [
        ['in', call(1)],
        ['out', done(1, { content: 'text' })],
      ],
      ['4 the response to tools/call a: its result.content must be a list, not a string'],
    ],
    [
      'a part without its text',
      [
        ['in', call(1)],
        ['out', done(1, { content: [{ type: 'text' }] })],
      ],
      ['4 the response to tools/call a: its result.content.0.text is missing'],
    ],
    [
      'a result that is no object',
      [
        ['in', { id: 1, method: 'ping' }],
        ['out', { id: 1, result: 'pong' }],
      ],
      ['4 the response to ping: its result must be an object'],
    ],
    [
      'an error without a code',
      [
        ['in', call(1)],
        ['out', { id: 1, error: { message: 'no' } }],
      ],
      ['4 the response to tools/call a: its error must have a whole number as code, and a text as message'],
    ],
    [
      'a result beside an error',
      [
        ['in', call(1)],
        ['out', { ...done(1), error: { code: 1, message: 'no' } }],
      ],
      ['4 the response to tools/call a: it has a result and an error'],
    ],
    [
      'another jsonrpc',
      [
        ['in', { ...call(1), jsonrpc: '1.0' }],
        ['out', done(1)],
      ],
      ['3 tools/call a: its jsonrpc is "1.0"; it must be "2.0"'],
    ],
    [
      'tools without an object schema, or with a name of another',
      tools(
        { name: 'a', inputSchema: { type: 'string' } },
        { name: 'a', inputSchema: { type: 'object' } },
        { name: 'b' },
      ),
      [
        '4 the response to tools/list: its result.tools.2.inputSchema is missing',
        '4 the response to tools/list: the inputSchema of "a" must have the type "object"',
        '4 the response to tools/list: two tools have the name "a"',
      ],
    ],
    [
      'structured content that does not fit',
      [...tools(typed), ['in', call(1)], ['out', done(1, { content: [], structuredContent: { n: 'x' } })]],
      [
        '6 the response to tools/call a: by the outputSchema of its tool, its structuredContent.n must be a number, not a string',
      ],
    ],
    [
      'structured content that is missing',
      [...tools(typed), ['in', call(1)], ['out', done(1)]],
      ['6 the response to tools/call a: its tool has an outputSchema, but it has no structuredContent'],
    ],
    [
      'progress for nobody',
      [['out', progress({ progressToken: 'x', progress: 1 })]],
      ['3 notifications/progress: no request has the progress token "x"'],
    ],
    [
      'progress of a request that is over',
      [
        ['in', call(1, token(7))],
        ['out', done(1)],
        ['out', progress({ progressToken: 7, progress: 1 })],
      ],
      ['5 notifications/progress: its request has its response in line 4'],
    ],
    [
      'progress that falls, or is none',
      [
        ['in', call(1, token(7))],
        ['out', progress({ progressToken: 7, progress: 5 })],
        ['out', progress({ progressToken: 7, progress: 2 })],
        ['out', progress({ progressToken: 7, progress: 'x', total: '9', message: 1 })],
      ],
      [
        '5 notifications/progress: its progress 2 does not rise: it was 5 before',
        '6 notifications/progress: its progress must be a number',
        '6 notifications/progress: its total must be a number',
        '6 notifications/progress: its message must be a text',
      ],
    ],
    [
      'a late result',
      [
        ['in', call(1), 10],
        ['in', { method: 'notifications/cancelled', params: { requestId: 1 } }, 20],
        ['out', done(1), 3_020],
      ],
      ['5 the response to tools/call a: it comes 3000 ms after its request was cancelled in line 4'],
    ],
    [
      'what the client did not declare',
      [['out', { id: 'q', method: 'sampling/createMessage' }]],
      ['3 sampling/createMessage: the client did not declare sampling'],
    ],
    [
      'what the server did not declare',
      [['in', { id: 1, method: 'logging/setLevel' }]],
      ['3 logging/setLevel: the server did not declare logging'],
    ],
  ])('find %s', (_, sent, texts) => {
    expect(found(...SHAKEN, ...sent).toSorted()).toEqual(texts.toSorted());
  });

  it('find a call before the handshake, or within it, if the session was recorded from its beginning', () => {
    const [asked, answered] = SHAKEN as [Sent, Sent];
    expect(found(['in', call(5)], ['out', done(5)])).toEqual(['1 tools/call a: it comes before initialize']);
    expect(found(asked, ['in', call(5)], answered, ['out', done(5)])).toEqual([
      '2 tools/call a: it comes before the response to initialize',
    ]);
    const imported = { ...sessionOf(['in', call(5)], ['out', done(5)]), meta: { recorder: 'codex-rx 1 import' } };
    expect(checkSession(toSessionIndex(imported), options)).toEqual([]);
  });

  it('find request state that changes, and what revision 2026-07-28 deprecates or forbids', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const asked = { resultType: 'input_required', requestState: 's', inputRequests: { q: { method: 'roots/list' } } };
    const answers = { inputResponses: {} };
    const whole = { resultType: 'complete', content: [] };
    expect(
      found(
        ['in', call(1, { _meta })],
        ['out', done(1, asked)],
        ['in', call(2, { _meta, ...answers, requestState: 's' })],
        ['out', done(2, asked)],
        ['in', call(3, { _meta, ...answers, requestState: 'S' })],
        ['out', done(3, whole)],
        ['in', call(4, { _meta, ...answers })],
        ['out', done(4, { content: [] })],
        ['in', call(5)],
        ['out', done(5, whole)],
        ['out', { id: 'q', method: 'roots/list' }],
        ['out', { method: 'notifications/message', params: { level: 'info', data: 1 } }],
      ),
    ).toEqual([
      '2 the response to tools/call a: roots/list in revision 2026-07-28 is deprecated',
      '5 tools/call a: the server did not issue its requestState',
      '7 tools/call a: it lacks the requestState of line 4',
      '8 the response to tools/call a: its result has no resultType',
      '9 tools/call a: its _meta has no io.modelcontextprotocol/protocolVersion, as each request of revision 2026-07-28 has',
      '11 roots/list: a server sends no requests in revision 2026-07-28',
      '12 notifications/message: logging in revision 2026-07-28 is deprecated',
    ]);
  });
});

describe('checker', () => {
  it('finds in parts what it finds in a whole session', () => {
    const session = sessionOf(
      ...SHAKEN,
      ['in', call(1, token(7))],
      ['in', call(2)],
      ['out', progress({ progressToken: 7, progress: 5 })],
      ['out', progress({ progressToken: 7, progress: 2 })],
      ['out', done(2)],
      ['out', done(2)],
      ['out', done(1)],
      ['in', call(3)],
    );
    const all: CheckOptions = { allowed: [], forbidden: [/^a$/] };
    const parts = readParts(session.meta, checker(all), { entries: 2, chars: 1_000_000 });
    for (const entry of session.entries) parts.add(entry);
    const { calls, findings } = parts.end();
    expect(findings).toEqual(checkSession(toSessionIndex(session), all));
    expect([calls, findings.map(({ rule }) => rule)]).toEqual([
      4,
      ['forbidden', 'forbidden', 'protocol', 'protocol', 'forbidden', 'hung'],
    ]);
  });
});
