/** Servers that many people use, before the official client: recorded, verified without a mask of the user, learned from, forked, shrunk. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { startCodexRx, startProgram } from '../../support/servers/httpPrograms';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(60_000);
beforeAll(() => {
  installed('memory');
  installed('filesystem');
  installed('everything');
}, 3 * INSTALL_MS);
afterEach(removeHomes);

type Calls = readonly { name: string; arguments: Record<string, unknown> }[];
type Case = { server: (home: Home) => string[]; calls: (home: Home) => Calls };

const memoryFile = ({ path }: Home) => join(path, 'memory.jsonl');
const ADA = { name: 'Ada', entityType: 'person', observations: ['wrote a program'] };

const MEMORY: Case = {
  server: (home) => ['env', `MEMORY_FILE_PATH=${memoryFile(home)}`, join(installed('memory'), 'mcp-server-memory')],
  calls: () => [
    { name: 'create_entities', arguments: { entities: [ADA] } },
    { name: 'search_nodes', arguments: { query: 'Ada' } },
    { name: 'delete_entities', arguments: { entityNames: ['Ada'] } },
  ],
};
const FILES: Case = {
  server: ({ work }) => [join(installed('filesystem'), 'mcp-server-filesystem'), work],
  calls: ({ work }) => [
    { name: 'list_directory', arguments: { path: work } },
    { name: 'read_text_file', arguments: { path: join(work, 'a.txt') } },
    { name: 'get_file_info', arguments: { path: join(work, 'a.txt') } },
    { name: 'read_text_file', arguments: { path: '/etc/hostname' } },
  ],
};
const EVERYTHING: Case = {
  server: () => [join(installed('everything'), 'mcp-server-everything')],
  calls: () => [
    { name: 'get-tiny-image', arguments: {} },
    { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
  ],
};

/** What a client gets of a command. */
const use = async (home: Home, [program = '', ...args]: readonly string[], calls: Calls): Promise<unknown[]> => {
  const client = new Client({ name: 'peer', version: '0' }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({ command: program, args, cwd: home.work, env: home.env, stderr: 'ignore' }),
  );
  const results: unknown[] = [(await client.listTools()).tools];
  for (const call of calls) results.push((await client.callTool(call)).content);
  await client.close();
  return results;
};

const record = (home: Home, tape: string, { server, calls }: Case) => {
  const [program, args] = commandLine('record', '-q', '-o', join(home.path, tape), '--', ...server(home));
  return use(home, [program, ...args], calls(home));
};

const codexRx = (home: Home, ...args: string[]) => startCodexRx(home, ...args).ended;

describe.each([
  ['server-memory', MEMORY],
  ['server-filesystem', FILES],
  ['server-everything', EVERYTHING],
] as const)('%s', (_, one) => {
  it('is verified by its recording, and by a spec that two of them make', async () => {
    const home = openHome();
    home.write('work/a.txt', 'hello\n');
    const [a, b] = [join(home.path, 'a.jsonl'), join(home.path, 'b.jsonl')];
    const first = await record(home, 'a.jsonl', one);
    expect((await record(home, 'b.jsonl', one)).length).toBe(first.length);
    const [player, args] = commandLine('replay', a);
    expect(await use(home, [player, ...args], one.calls(home))).toEqual(first);
    const verified = await codexRx(home, 'replay', a, '--', ...one.server(home));
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^SAME: /)]);
    const spec = join(home.path, 'learned.cjs');
    expect((await codexRx(home, 'marbles', a, b, '--trust-tape', '-o', spec)).code).toBe(0);
    home.write(
      'node_modules/codex-rx/testing.js',
      `module.exports = require('${join(__dirname, '../../../dist/testing.cjs')}')`,
    );
    const { code, stdout } = await startProgram(home, process.execPath, ['--test', spec]).ended;
    expect(code === 0 ? '' : stdout).toBe('');
  });
});

describe('server-memory', () => {
  it('goes on with another client if its recording is cut', async () => {
    const home = openHome();
    await record(home, 'a.jsonl', MEMORY);
    const tape = join(home.path, 'a.jsonl');
    const next = (await codexRx(home, 'stats', tape)).stdout.match(/search_nodes +line (\d+)/)?.[1];
    const response = `${Number(next) - 1}`; // of create_entities; the server handles calls side by side
    const [program, args] = commandLine('fork', tape, '--at', response, '--', ...MEMORY.server(home));
    const [, graph] = await use(home, [program, ...args], [{ name: 'read_graph', arguments: {} }]);
    expect(JSON.stringify(graph)).toContain('wrote a program');
  });
});

describe('server-filesystem', () => {
  it('is shrunk to the call that has changed', async () => {
    const home = openHome();
    home.write('work/a.txt', 'hello\n');
    await record(home, 'a.jsonl', FILES);
    writeFileSync(join(home.work, 'a.txt'), 'howdy\n');
    const small = join(home.path, 'small.jsonl');
    const shrunk = await codexRx(home, 'shrink', join(home.path, 'a.jsonl'), '-o', small, '--', ...FILES.server(home));
    expect([shrunk.code, shrunk.stdout]).toEqual([0, expect.stringContaining('recorded "hello\\n", now "howdy\\n"')]);
    expect(shrunk.stdout).toMatch(/SHRUNK: from \d+ lines of the client to 1, /);
    writeFileSync(join(home.work, 'a.txt'), 'hello\n');
    expect((await codexRx(home, 'replay', small, '--', ...FILES.server(home))).code).toBe(0);
  });
});

describe('server-everything', () => {
  it('is verified although it prints its environment', async () => {
    const home = openHome();
    await record(home, 'a.jsonl', { ...EVERYTHING, calls: () => [{ name: 'get-env', arguments: {} }] });
    const { code, stdout } = await codexRx(
      home,
      'replay',
      join(home.path, 'a.jsonl'),
      '--',
      ...EVERYTHING.server(home),
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^SAME: /)]);
  });
});
