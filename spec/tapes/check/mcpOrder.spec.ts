import { checkSession } from '../../../src/tapes/check/checkSession';
import { RULES } from '../../../src/tapes/check/finding';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { ask, found, notify, ping, revision, type Sent } from './mcpSession';

const cancel = (requestId: unknown): Sent => notify('in', 'notifications/cancelled', { requestId });
const call = (id: number, progressToken: unknown): Sent => [
  'in',
  { id, method: 'tools/call', params: { name: 'a', _meta: { progressToken } } },
];

describe('ids', () => {
  it('are whole numbers or texts, each once in a session', () => {
    expect(found([...ping(1), ...ping('1'), ...ping(2)])).toEqual([]);
    expect(found([...ping(1), ...ping(1)])).toEqual(['5 the request of line 3 had the id 1 too']);
    expect(found([['in', { id: 1.5, method: 'ping' }]])).toEqual(['3 its id 1.5 is no whole number']);
    expect(found([['out', { id: null, result: {} }]])).toEqual(['3 its id is null']);
  });

  it('may come again in revision 2026-07-28, which has no sessions', () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const list = ask('tools/list', { _meta }, { resultType: 'complete', tools: [] });
    expect(found([...list, ...list], { tools: {} })).toEqual([]);
  });
});

describe('a cancel', () => {
  it('names a request of its side, but not the handshake', () => {
    expect(found([...ping(1), cancel(1)])).toEqual([]);
    expect(found([cancel(7)])).toEqual(['3 no request has the id 7']);
    expect(found([cancel(7)], {}, {}, 'codex-rx 1 import')).toEqual([]);
    const session = sessionFrom(
      [0, 'in', { jsonrpc: '2.0', id: 0, method: 'initialize', params: revision }],
      [1, 'in', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } }],
    );
    const options = { allowed: RULES.filter((rule) => rule !== 'protocol'), forbidden: [] };
    expect(checkSession(toSessionIndex(session), options).map(({ text }) => text)).toEqual([
      'initialize must not be cancelled',
    ]);
  });
});

describe('progress tokens', () => {
  it('are those of one open request each', () => {
    const text = '4 the request of line 3, which has no response yet, has its progress token too';
    expect(found([call(1, 't'), call(2, 't')], { tools: {} })).toEqual([text]);
    expect(found([call(1, 't'), ['out', { id: 1, result: { content: [] } }], call(2, 't')], { tools: {} })).toEqual([]);
    expect(found([call(1, 't'), cancel(1), call(2, 't')], { tools: {} })).toEqual([]);
    expect(found([call(1, 't'), call(2, 7)], { tools: {} })).toEqual([]);
  });
});

describe('cursors', () => {
  it('are those that the server issued', () => {
    const pages = (cursor: string): Sent[] => [
      ['in', { id: 1, method: 'tools/list' }],
      ['out', { id: 1, result: { tools: [], nextCursor: 'next' } }],
      ['in', { id: 2, method: 'tools/list', params: { cursor } }],
    ];
    expect(found(pages('next'), { tools: {} })).toEqual([]);
    expect(found(pages('other'), { tools: {} })).toEqual(['5 the server did not issue its cursor']);
  });
});

describe('the shapes of messages', () => {
  it.each<[string, Sent[]]>([
    ['its params must be an object', [notify('in', 'notifications/initialized', [])]],
    ['its level is "loud", not one of RFC 5424', [notify('out', 'notifications/message', { level: 'loud', data: 1 })]],
    ['it has no data', [notify('out', 'notifications/message', { level: 'info' })]],
  ])('have a fault: %s', (text, sent) => {
    expect(found(sent, { logging: {} })).toEqual([`3 ${text}`]);
  });

  it.each<[string, Sent[]]>([
    [
      'its result.content.0.data is wrong: Invalid base64-encoded string',
      ask('tools/call', { name: 'a' }, { content: [{ type: 'image', data: '##', mimeType: 'image/png' }] }),
    ],
    [
      'the outputSchema of "a" must have the type "object"',
      ask(
        'tools/list',
        {},
        { tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema: { type: 'string' } }] },
      ),
    ],
  ])('have a fault in a result: %s', (text, sent) => {
    expect(found(sent, { tools: {} })).toEqual([`4 ${text}`]);
  });

  it('have roots that are files', () => {
    const roots = (uri: string): Sent[] => [
      ['out', { id: 1, method: 'roots/list' }],
      ['in', { id: 1, result: { roots: [{ uri }] } }],
    ];
    expect(found(roots('file:///a'), {}, { roots: {} })).toEqual([]);
    expect(found(roots('http://a'), {}, { roots: {} })).toEqual([
      '4 its result.roots.0.uri is wrong: Invalid string: must start with "file://"',
    ]);
  });
});

describe('what a side did not declare', () => {
  const tools = { tools: { listChanged: true } };

  it.each<[string, Sent[], object, object]>([
    ['tools.listChanged', [notify('out', 'notifications/tools/list_changed')], { tools: {} }, tools],
    ['logging', [notify('out', 'notifications/message', { level: 'info', data: 1 })], {}, { logging: {} }],
    [
      'resources.subscribe',
      ask('resources/subscribe', { uri: 'a:b' }, {}),
      { resources: {} },
      { resources: { subscribe: true } },
    ],
    ['completions', ask('completion/complete', {}, { completion: { values: [] } }), {}, { completions: {} }],
  ])('is %s', (feature, sent, without, declared) => {
    expect(found(sent, without)).toEqual([`3 the server did not declare ${feature}`]);
    expect(found(sent, declared)).toEqual([]);
  });

  it('is a feature of the client', () => {
    const changed = [notify('in', 'notifications/roots/list_changed')];
    expect(found(changed, {}, { roots: {} })).toEqual(['3 the client did not declare roots.listChanged']);
    expect(found(changed, {}, { roots: { listChanged: true } })).toEqual([]);
  });
});

describe('the handshake', () => {
  it('comes once', () => {
    const again = ask('initialize', revision, {
      ...revision,
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    });
    expect(found(again)).toEqual(['3 the session was initialized before']);
  });
});
