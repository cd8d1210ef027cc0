import { version } from '../../../package.json';
import { clientInfo, greet } from '../../support/daemon/legacy';
import { modern } from '../../support/daemon/modern';
import { endServers, startServer } from '../../support/daemon/peer';

afterEach(endServers);

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe('initialize', () => {
  it.each(LEGACY)('agrees on %s and serves it', async (protocolVersion) => {
    const peer = startServer();
    expect(await greet(peer, {}, protocolVersion)).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion,
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'codex-rx', title: 'Codex', version },
        instructions: expect.any(String),
      },
    });
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    const { result } = await peer.request('tools/list');
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['codex', 'codex-reply']);
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(peer.stderr()).toBe('');
  });

  it.each(['1999-01-01', '2026-07-28', 'banana'])('offers the newest it knows for %s', async (protocolVersion) => {
    const answer = await greet(startServer(), {}, protocolVersion);
    expect(answer.result.protocolVersion).toBe('2025-11-25');
  });

  it('answers a ping that comes before it', async () => {
    expect(await startServer().request('ping')).toEqual({ jsonrpc: '2.0', id: 'r1', result: {} });
  });

  it('answers a batch as one in 2025-03-26, and refuses it elsewhere', async () => {
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n';
    const [old, later] = [startServer(), startServer()];
    await Promise.all([greet(old, {}, '2025-03-26'), greet(later)]);
    for (const peer of [old, later]) peer.sendText(batch);
    expect(await old.next(Array.isArray, 'a batch')).toHaveLength(2);
    const refusal = await later.next(({ error }) => error !== undefined, 'a refusal');
    expect(refusal).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('server/discover', () => {
  it('lists what is served, without a handshake', async () => {
    const peer = startServer();
    expect(await peer.request('server/discover', modern())).toEqual({
      jsonrpc: '2.0',
      id: 'r1',
      result: {
        resultType: 'complete',
        supportedVersions: expect.arrayContaining([...LEGACY, '2026-07-28']),
        capabilities: { tools: {}, logging: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        instructions: expect.any(String),
        ttlMs: expect.any(Number),
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'codex-rx', title: 'Codex', version } },
      },
    });
  });

  it('is one of two eras that one process serves at once', async () => {
    const peer = startServer();
    await peer.request('server/discover', modern());
    await greet(peer);
    const [old, recent] = await Promise.all([peer.request('tools/list'), peer.request('tools/list', modern())]);
    expect(old.result.resultType).toBeUndefined();
    expect(recent.result).toMatchObject({ resultType: 'complete', tools: old.result.tools });
    expect(await peer.request('ping', modern())).toMatchObject({ error: { code: -32601 } });
  });

  it('names the versions there are to a client of another one', async () => {
    const answer = await startServer().request('server/discover', modern({}, {}, '2031-01-01'));
    expect(answer.error).toMatchObject({
      code: -32022,
      data: { requested: '2031-01-01', supported: expect.arrayContaining(['2026-07-28']) },
    });
  });

  it('demands what its revision demands', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const answer = await startServer().request('server/discover', { _meta });
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('clientCapabilities') });
  });
});

describe('a line that is not a message', () => {
  it('is refused, and the lines around it are answered', async () => {
    const peer = startServer();
    peer.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    peer.sendText('{"jsonrpc":"2.0","id":2,\n\n\r\n{"jsonrpc":"2.0","id":3}\n\u{1F4A5}\n');
    peer.child.stdin?.write(Buffer.from([0xff, 0xfe, 0x0a]));
    peer.send({ id: 4, method: 'ping' });
    peer.sendText('{"jsonrpc":"2.0","id":5,"method":"ping"}'); // no newline after the last line
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(peer.messages.map(({ id, result, error }) => [id, result ? 'result' : error.code])).toEqual([
      [1, 'result'],
      [null, -32700],
      [3, -32600],
      [null, -32700],
      [null, -32700],
      [4, 'result'],
      [5, 'result'],
    ]);
  });

  it('survives when it is very long or very deep', async () => {
    const peer = startServer();
    peer.send({ id: 1, method: 'ping', params: { pad: 'x'.repeat(20_000_000) } });
    peer.sendText(`${'['.repeat(100_000)}\n`);
    peer.sendText(
      `{"jsonrpc":"2.0","id":2,"method":"ping","params":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}\n`,
    );
    peer.send({ id: 3, method: 'ping' });
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    expect(peer.messages.map(({ id }) => id)).toEqual([1, null, 2, 3]);
  });

  it('is a request for an unknown method, which is answered too', async () => {
    const peer = startServer();
    await greet(peer);
    expect(await peer.request('resources/list')).toMatchObject({ error: { code: -32601 } });
    expect(await peer.request('tools/call', { name: 'codec' })).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: codec; did you mean codex?' },
    });
    expect(await peer.request('tools/call', { name: 'codex', arguments: { promt: 'hi' } })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('Did you mean `prompt`?') }] },
    });
  });
});
