/** Servers over HTTP before real clients: recorded, replayed to the same clients, verified; in both transports. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Home, openHome, removeHomes } from '../../support/home';
import { closePrograms, startCodexRx as start } from '../../support/servers/httpPrograms';
import { closeMcpOverHttp, startMcpOverHttp } from '../../support/servers/mcpOverHttp';

afterEach(async () => {
  closePrograms();
  closeMcpOverHttp();
  await removeHomes();
});

type Got = { tools: string[]; progress: number; text: unknown };

/** What the v1 client gets of a server. */
const used = async (transport: StreamableHTTPClientTransport | SSEClientTransport): Promise<Got> => {
  const client = new Client({ name: 'spec', version: '0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  let progress = 0;
  const { tools } = await client.listTools();
  const count = { onprogress: () => void progress++ };
  const { content } = await client.callTool({ name: 'greet', arguments: {} }, undefined, count);
  if ('terminateSession' in transport) await transport.terminateSession();
  await client.close();
  return { tools: tools.map(({ name }) => name), progress, text: content };
};

/** What the v2 client gets of it, which probes the server first. */
const usedByNew = async (url: string): Promise<Got> => {
  const client = new NewClient(
    { name: 'spec', version: '0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  const transport = new NewTransport(new URL(url));
  await client.connect(transport);
  let progress = 0;
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'greet', arguments: {} }, { onprogress: () => void progress++ });
  await transport.terminateSession();
  await client.close();
  return { tools: tools.map(({ name }) => name), progress, text: content };
};

const WHOLE: Got = { tools: ['greet'], progress: 1, text: [{ type: 'text', text: 'Hello, Ada' }] };

const CLIENTS: [string, string, (url: string) => Promise<Got>][] = [
  ['the v1 client', '/mcp', (url) => used(new StreamableHTTPClientTransport(new URL(url)))],
  ['the v1 client on the older transport', '/sse', (url) => used(new SSEClientTransport(new URL(url)))],
  ['the v2 client, which probes first', '/mcp', usedByNew],
];

describe.each(CLIENTS)('%s', (_, path, client) => {
  it('is recorded, gets the same of the tape, and the server is verified by it', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const { url: server } = await startMcpOverHttp('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', tape, '--', server + path);
    expect(await client(await recorder.found(/clients is (\S+)/))).toEqual(WHOLE);
    expect((await recorder.end()).code).toBe(0);
    expect(existsSync(join(home.path, 'tape-2.jsonl'))).toBe(false);
    expect(readFileSync(tape, 'utf8')).not.toContain('session-1');

    const player = start(home, 'replay', tape, '--http', '0');
    const address = await player.found(/ at (http:\S+?)\/mcp/);
    expect(await client(address + path)).toEqual(WHOLE);
    expect((await player.end()).code).toBe(0);

    expect(await verified(home, tape, server + path)).toEqual([0, expect.stringMatching(/^SAME: /)]);
    const { url: other } = await startMcpOverHttp('Bye');
    expect(await verified(home, tape, other + path)).toEqual([
      1,
      expect.stringContaining('recorded "Hello, Ada", now "Bye, Ada"'),
    ]);
  });
});

const verified = async (home: Home, tape: string, url: string): Promise<[number | null, string]> => {
  const { code, stdout } = await start(home, 'replay', tape, '--', url).ended;
  return [code, stdout];
};

describe('a server over HTTP', () => {
  it('is recorded on a tape for each session, also at the same time', async () => {
    const home = openHome();
    const { url: server } = await startMcpOverHttp('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', join(home.path, 'tape.jsonl'), '--', `${server}/mcp`);
    const url = await recorder.found(/clients is (\S+)/);
    const client = () => used(new StreamableHTTPClientTransport(new URL(url)));
    expect(await Promise.all([client(), client()])).toEqual([WHOLE, WHOLE]);
    const { stderr } = await recorder.end();
    expect(stderr.match(/5 lines from the client, 5 from the server/g)).toHaveLength(2);
    expect(existsSync(join(home.path, 'tape-2.jsonl'))).toBe(true);
  });

  it('is recorded with faults, which the tape marks', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const { url: server } = await startMcpOverHttp('Hello');
    const recorder = start(home, 'record', '--http', '0', '--faults', '-20ms-', '-o', tape, '--', `${server}/mcp`);
    const url = await recorder.found(/clients is (\S+)/);
    expect(await used(new StreamableHTTPClientTransport(new URL(url)))).toEqual(WHOLE);
    expect((await recorder.end()).stderr).toContain('fault: line 2 (response) waits 20 ms');
    expect(readFileSync(tape, 'utf8').match(/"injected":"waits 20 ms"/g)).toHaveLength(1);
  });

  it('cannot be used by a web page, neither recorded nor played', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const { url: server } = await startMcpOverHttp('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', tape, '--', `${server}/mcp`);
    const url = await recorder.found(/clients is (\S+)/);
    await used(new StreamableHTTPClientTransport(new URL(url)));
    const status = async (address: string) =>
      (await fetch(address, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } })).status;
    expect(await status(url)).toBe(403);
    await recorder.end();
    const player = start(home, 'replay', tape, '--http', '0');
    expect(await status(await player.found(/ at (http:\S+\/mcp)/))).toBe(403);
    await player.end();
  });

  it('that is not there is one line and exit code 2', async () => {
    const home = openHome();
    const tape = home.write('tape.jsonl', '{"t":0,"dir":"in","line":"{\\"id\\":1,\\"method\\":\\"ping\\"}"}\n');
    const player = start(home, 'replay', tape, '--', 'http://127.0.0.1:1/mcp');
    const text = await player.found(/(.*is the server running\?)/);
    expect([text, (await player.ended).code]).toEqual([
      expect.stringMatching(/^codex-rx replay: http:\/\/127\.0\.0\.1:1\/mcp cannot be reached: .*ECONNREFUSED/),
      2,
    ]);
  });
});

describe('a server whose response has no result', () => {
  it('is named with what became of the response if it is verified', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const home = openHome();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const tape = home.write(
      'ping.jsonl',
      [
        { meta: { version: 1 } },
        { t: 1, dir: 'in', line: JSON.stringify(ping) },
        { t: 2, dir: 'out', line: '{"jsonrpc":"2.0","id":1,"result":{}}' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { code, stderr } = await start(home, 'replay', tape, '--timeout', '1', '--', url).ended;
    server.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('has ended its response without a result')]);
  });
});
