import { EMPTY } from 'rxjs';
import { clientMemory } from '../../src/mcpHttp/clientMemory';

describe('clientMemory', () => {
  it('learns the session, the revision and the endpoint', () => {
    const memory = clientMemory('http://x/sse');
    expect([memory.isReached(), memory.hasSession(), memory.isOlder(), memory.headers()]).toEqual([
      false,
      false,
      false,
      {},
    ]);
    memory.learn({ status: 200, statusText: '', headers: { 'mcp-session-id': 's' }, body$: EMPTY });
    memory.read('{"id":0,"result":{"protocolVersion":"2025-11-25"}}');
    memory.read('{"id":1,"result":{"protocolVersion":"other"}}');
    expect([memory.isReached(), memory.hasSession()]).toEqual([true, true]);
    expect(memory.headers()).toEqual({ 'mcp-session-id': 's', 'mcp-protocol-version': '2025-11-25' });
    expect(memory.postHeaders('{}')).toMatchObject({ 'mcp-session-id': 's', 'content-type': 'application/json' });
    expect(memory.moveTo('/message?sessionId=1')).toBe(true);
    expect([memory.postUrl(), memory.isOlder()]).toEqual(['http://x/message?sessionId=1', true]);
  });

  it.each(['http://y/message', 'https://x/message', '//y/message', 'http://x:81/', 'file:///m', 'http://['])(
    'does not move to %s',
    (endpoint) => {
      const memory = clientMemory('http://x/sse');
      expect([memory.moveTo(endpoint), memory.postUrl(), memory.isOlder()]).toEqual([false, 'http://x/sse', false]);
    },
  );
});
