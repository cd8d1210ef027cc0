/** The official clients against a tape of themselves, in every mode; and the tape against the server that it is of. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLine, scripted } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        { items: [{ text: 'I write.' }, { call: 'shell', args: { command: ['sh', '-c', 'echo done > made.txt'] } }] },
        { items: [{ text: 'written' }] },
      ],
    },
  ],
};

type Mode = 'legacy' | 'auto' | { pin: string };

/** What a client gets of a server: its tools, and the result of a call that asks for approval. */
const used = async ({ path, work }: Home, mode: Mode, [command, args]: [string, string[]]) => {
  const client = new Client(
    { name: 'client-spec', version: '0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'approved' } }));
  await client.connect(new StdioClientTransport({ command, args, cwd: work, env: { HOME: path }, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const given = { prompt: 'write', cwd: work, sandbox: 'danger-full-access', 'approval-policy': 'untrusted' };
    return { tools: tools.map(({ name }) => name), result: await client.callTool({ name: 'codex', arguments: given }) };
  } finally {
    await client.close();
  }
};

describe.each<[string, Mode, number]>([
  ['legacy', 'legacy', 1],
  ['auto', 'auto', 2],
  ['pinned', { pin: '2026-07-28' }, 2],
])('the v2 client, %s', (_, mode, sessions) => {
  it('gets of its tape what it got of the server, and the server still sends the same', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const [program, server] = commandLine('mcp-server', ...scripted(home, script));
    const recorded = await used(home, mode, commandLine('record', '-q', '-o', tape, '--', program, ...server));
    expect(recorded.result.content).toEqual([{ type: 'text', text: 'written' }]);
    expect(readFileSync(tape, 'utf8').match(/^\{"meta"/gm)).toHaveLength(sessions);
    expect(await used(home, mode, commandLine('replay', tape))).toEqual(recorded);

    const [verifier, args] = commandLine('replay', tape, '--', program, ...server);
    const env = openHome().env; // in a home with a thread the server offers more
    const { stdout, status } = spawnSync(verifier, args, { cwd: home.work, env, encoding: 'utf8' });
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(sessions === 1 ? /^SAME: / : /^2 sessions: 2 the same, 0 differ, 0 cannot be used\n$/),
    ]);
  });
});
