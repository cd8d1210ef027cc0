/** The official client takes over a real server in the middle of a recorded session. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { commandLine } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

/** Takes one `initialize`, and counts its calls. */
const SERVER = `
let [count, open] = [0, false];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const send = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (method === 'initialize') {
    if (open) return send({ error: { code: -32600, message: 'twice' } });
    open = true;
    const { protocolVersion } = params;
    send({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'counter', version: '1' } } });
  }
  const text = String((count += method === 'tools/call' ? 1 : 0) + Number(process.argv[2] ?? 0));
  if (method === 'tools/call') send({ result: { content: [{ type: 'text', text }] } });
});
`;

const counted = async (command: string, args: string[], calls: number): Promise<unknown> => {
  const client = new Client({ name: 'fork-spec', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  try {
    let last: unknown;
    for (let i = 0; i < calls; i += 1) last = (await client.callTool({ name: 'count' })).content;
    return last;
  } finally {
    await client.close();
  }
};

describe('codex-rx fork', () => {
  it('hands over a server in the state of the tape, unless it answers otherwise', async () => {
    const home = openHome();
    const server = [process.execPath, home.write('server.cjs', SERVER)];
    const tape = join(home.path, 'tape.jsonl');
    await counted(...commandLine('record', '-q', '-o', tape, '--', ...server), 5);
    const third =
      readFileSync(tape, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes('\\"text\\":\\"3\\"')) + 1;
    const forked = commandLine('fork', tape, '--at', String(third), '--', ...server);
    expect(await counted(...forked, 1)).toEqual([{ type: 'text', text: '4' }]);

    const [program, args] = commandLine('fork', tape, '--', ...server, '10');
    const { status, stdout, stderr } = spawnSync(program, args, { input: '', encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('recorded "1", now "11"');
    expect(stderr).toContain('it is not handed over; --anyway hands it over');
  });

  it('does not hand over a program that is missing', () => {
    const home = openHome();
    const tape = home.write('tape.jsonl', '{"t":0,"dir":"in","line":"{\\"id\\":1,\\"method\\":\\"ping\\"}"}\n');
    const [program, args] = commandLine('fork', tape, '--', join(home.path, 'missing'));
    const { status, stderr } = spawnSync(program, args, { input: '', encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^codex-rx fork: the server could not be started: \S+missing: No such file or directory[^\n]*\n$/,
    );
  });
});
