import { EMPTY } from 'rxjs';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import { clientMemory, postHeaders, sessionHeaders } from '../../../src/io/mcpClient/clientMemory';

const INIT = '{"id":0,"method":"initialize"}';
const answerOf = (headers: Record<string, string>, status = 200): HttpResponse => ({
  status,
  statusText: '',
  headers,
  body$: EMPTY,
});

describe('clientMemory', () => {
  it('learns the session, the revision and the endpoint', () => {
    const memory = clientMemory('http://x/sse');
    expect([memory.isReached(), memory.sessionId(), memory.isOlder(), memory.headers()]).toEqual([
      false,
      undefined,
      false,
      {},
    ]);
    memory.learn(answerOf({ 'mcp-session-id': 's' }), INIT);
    memory.read('{"id":0,"result":{"protocolVersion":"2025-11-25"}}');
    memory.read('{"id":1,"result":{"protocolVersion":"other"}}');
    expect([memory.isReached(), memory.sessionId()]).toEqual([true, 's']);
    expect(memory.headers()).toEqual({ 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' });
    expect(memory.postHeaders('{}')).toMatchObject({ 'mcp-session-id': 's', 'content-type': 'application/json' });
    expect(memory.moveTo('/message?sessionId=1')).toBe(true);
    expect([memory.postUrl(), memory.isOlder()]).toEqual(['http://x/message?sessionId=1', true]);
  });

  it('keeps the session, whatever responses name, until another begins, and begins it without the one before', () => {
    const memory = clientMemory('http://x/mcp');
    memory.learn(answerOf({ 'mcp-session-id': 's' }), INIT);
    memory.read('{"id":0,"result":{"protocolVersion":"2025-11-25"}}');
    memory.learn(answerOf({ 'mcp-session-id': 't' }), '{}');
    memory.learn(answerOf({ 'mcp-session-id': 'u' }, 503), INIT);
    expect(memory.headers()).toEqual({ 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' });
    const headers = memory.postHeaders(INIT);
    expect([headers['mcp-session-id'], headers['mcp-protocol-version']]).toEqual([undefined, undefined]);
    memory.learn(answerOf({ 'mcp-session-id': 'v' }), INIT);
    memory.read('{"id":0,"result":{"protocolVersion":"2025-06-18"}}');
    expect(memory.headers()).toEqual({ 'mcp-session-id': 'v', 'mcp-protocol-version': '2025-06-18' });
    memory.learn(answerOf({}), INIT);
    expect(memory.headers()).toEqual({});
  });

  it.each(['http://y/message', 'https://x/message', '//y/message', 'http://x:81/', 'file:///m', 'http://['])(
    'does not move to %s',
    (endpoint) => {
      const memory = clientMemory('http://x/sse');
      expect([memory.moveTo(endpoint), memory.postUrl(), memory.isOlder()]).toEqual([false, 'http://x/sse', false]);
    },
  );
});

const BASE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const call = (name: string) =>
  JSON.stringify({
    id: 1,
    method: 'tools/call',
    params: { name, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  });

describe('postHeaders', () => {
  it('has the session and the revision of a session', () => {
    expect(sessionHeaders({})).toEqual({});
    expect(
      postHeaders({ id: 's', version: '2025-11-25' }, '{"id":1,"method":"tools/call","params":{"name":"a"}}'),
    ).toEqual({
      ...BASE,
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-11-25',
    });
  });

  it.each([
    ['add', 'add'],
    ['a b', 'a b'],
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' a', '=?base64?IGE=?='],
    ['', '=?base64??='],
  ])('repeats what a request of 2026-07-28 states: %j as %s', (name, header) => {
    expect(postHeaders({}, call(name))).toEqual({
      ...BASE,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': header,
    });
  });
});
