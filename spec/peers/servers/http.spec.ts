/** Real servers over HTTP before both official clients: recorded, played to the same client, verified. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { freePort } from '../../support/freePort';
import { type Home, openHome, removeHomes } from '../../support/home';
import { closePrograms, type Program, startCodexRx, startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);
beforeAll(() => {
  installed('everything');
  installed('modernServer');
}, 2 * INSTALL_MS);
afterEach(async () => {
  closePrograms();
  await removeHomes();
});

/** server-everything in one of its transports. */
const everything = async (home: Home, transport: string, path: string): Promise<string> => {
  const port = await freePort();
  const program = join(installed('everything'), 'mcp-server-everything');
  const server: Program = startProgram({ ...home, env: { ...home.env, PORT: `${port}` } }, program, [transport]);
  await server.found(/(port)/i);
  return `http://127.0.0.1:${port}${path}`;
};

const modern = (home: Home): Promise<string> =>
  startProgram(home, process.execPath, [
    join(__dirname, 'modernServer.mjs'),
    join(installed('modernServer'), '../..'),
  ]).found(/(http:\S+)/);

/** What a client gets: names of tools, results of the calls, progress. */
type Got = { tools: number; results: unknown[]; progress: number };
type Calls = readonly { name: string; arguments: Record<string, unknown> }[];

const OF_EVERYTHING: Calls = [
  { name: 'echo', arguments: { message: 'hi' } },
  { name: 'get-sum', arguments: { a: 2, b: 3 } },
  { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
];
const OF_MODERN: Calls = [
  { name: 'count', arguments: {} },
  { name: 'greet', arguments: {} },
];

const INFO = { name: 'peer', version: '0' };

const byOld =
  (calls: Calls, transport: (url: URL) => StreamableHTTPClientTransport | SSEClientTransport) =>
  async (url: string) => {
    const client = new Client(INFO, { capabilities: {} });
    await client.connect(transport(new URL(url)) as Parameters<Client['connect']>[0]);
    const got: Got = { tools: (await client.listTools()).tools.length, results: [], progress: 0 };
    for (const call of calls) {
      const { content } = await client.callTool(call, undefined, { onprogress: () => void got.progress++ });
      got.results.push(content);
    }
    await client.close();
    return got;
  };

type Mode = 'auto' | 'legacy' | { pin: string };

const byNew = (calls: Calls, mode: Mode) => async (url: string) => {
  const client = new NewClient(INFO, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(new NewTransport(new URL(url)));
  const got: Got = { tools: (await client.listTools()).tools.length, results: [], progress: 0 };
  for (const call of calls) {
    const { content } = await client.callTool(call, { onprogress: () => void got.progress++ });
    got.results.push(content);
  }
  await client.close();
  return got;
};

type Case = [name: string, server: (home: Home) => Promise<string>, client: (url: string) => Promise<Got>];

const streamable = (home: Home) => everything(home, 'streamableHttp', '/mcp');
const older = (home: Home) => everything(home, 'sse', '/sse');
const CASES: Case[] = [
  [
    'server-everything, the v1 client',
    streamable,
    byOld(OF_EVERYTHING, (url) => new StreamableHTTPClientTransport(url)),
  ],
  ['server-everything with SSE, the v1 client', older, byOld(OF_EVERYTHING, (url) => new SSEClientTransport(url))],
  ['server-everything, the v2 client, auto', streamable, byNew(OF_EVERYTHING, 'auto')],
  ['server-everything, the v2 client, legacy', streamable, byNew(OF_EVERYTHING, 'legacy')],
  ['a server of 2026-07-28, the v2 client, auto', modern, byNew(OF_MODERN, 'auto')],
  ['a server of 2026-07-28, the v2 client, pinned', modern, byNew(OF_MODERN, { pin: '2026-07-28' })],
  ['a server of 2026-07-28, the v2 client, legacy', modern, byNew(OF_MODERN, 'legacy')],
];

describe.each(CASES)('%s', (_, server, client) => {
  it('gets the same with the recorder before the server, and of the tape; and the server is verified by it', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const url = await server(home);
    const { pathname } = new URL(url);
    const without = await client(url);
    const recorder = startCodexRx(home, 'record', '--http', '0', '-o', tape, '--', url);
    const recorded = await client(await recorder.found(/clients is (\S+)/));
    expect({ ...recorded, progress: 0 }).toEqual({ ...without, progress: 0 }); // clients lose progress that comes with its response
    await recorder.end();
    expect(readFileSync(tape, 'utf8').match(/^\{"meta"/gm)).toHaveLength(1);

    const player = startCodexRx(home, 'replay', tape, '--http', '0');
    const address = await player.found(/ at (http:\S+?)\/mcp/);
    const played = [await client(address + pathname), await client(address + pathname)];
    expect(played.map((got) => ({ ...got, progress: 0 }))).toEqual(
      [recorded, recorded].map((got) => ({ ...got, progress: 0 })),
    );
    expect((await player.end()).code).toBe(0);

    const verifier = await startCodexRx(home, 'replay', tape, '--', url).ended;
    expect([verifier.code, verifier.stdout]).toEqual([0, expect.stringMatching(/^SAME: /)]);
  });
});
