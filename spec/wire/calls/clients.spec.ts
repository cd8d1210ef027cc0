/** The official clients of the protocol, as hosts use them: in every mode they open a connection. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { commandLine, type Json, scripted } from '../../support/daemon/peer';
import { family, script as familyScript } from '../../support/family';
import { type Home, openHome, removeHomes } from '../../support/home';
import { gone, isAlive, pidsIn } from '../../support/processes';

const connected: AnyClient[] = [];
afterEach(async () => {
  await Promise.all(connected.splice(0).map((client) => client.close()));
  await removeHomes();
});

const script = {
  scenes: [
    {
      when: 'write',
      answers: [
        {
          items: [
            { text: 'I write.' },
            { delayMs: 100 }, // so that the text before it is a progress notification of its own
            { call: 'shell', args: { command: ['sh', '-c', 'echo done > made.txt'] } },
          ],
        },
        { items: [{ text: 'written' }] },
      ],
    },
    ...familyScript.scenes,
  ],
};

type CallOptions = { signal?: AbortSignal; onprogress?: (progress: Json) => void };

/** What these specs need of a client, whichever it is. */
type AnyClient = {
  list: () => Promise<Json[]>;
  call: (args: Json, options?: CallOptions) => Promise<Json>;
  version: () => string | undefined;
  pid: () => number | null;
  errors: Error[];
  close: () => Promise<void>;
};

type Person = (question: Json) => Json;

const info = { name: 'client-spec', version: '0' };
const capabilities = { elicitation: { form: {} } };

const parameters = (home: Home) => {
  const [command, args] = commandLine('mcp-server', ...scripted(home, script));
  return { command, args, cwd: home.work, env: { HOME: home.path }, stderr: 'pipe' as const };
};

const oldClient = async (home: Home, person: Person): Promise<AnyClient> => {
  const errors: Error[] = [];
  const transport = new OldTransport(parameters(home));
  const client = new OldClient(info, { capabilities });
  client.onerror = (error) => void errors.push(error);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as { action: 'accept' });
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools,
    call: (args, options) => client.callTool({ name: 'codex', arguments: args }, undefined, options),
    version: () => undefined,
    pid: () => transport.pid,
    errors,
    close: () => client.close(),
  };
};

const newClient =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async (home: Home, person: Person): Promise<AnyClient> => {
    const errors: Error[] = [];
    const transport = new NewTransport(parameters(home));
    const client = new NewClient(info, { capabilities, versionNegotiation: { mode } });
    client.onerror = (error) => void errors.push(error);
    client.setRequestHandler('elicitation/create', ({ params }) => person(params) as { action: 'accept' });
    await client.connect(transport);
    return {
      list: async () => (await client.listTools()).tools,
      call: (args, options) => client.callTool({ name: 'codex', arguments: args }, options),
      version: () => client.getNegotiatedProtocolVersion(),
      pid: () => transport.pid,
      errors,
      close: () => client.close(),
    };
  };

/** A client that reads progress and the answer after it in one piece forgets the token before it looks at the progress. */
const isReadLate = ({ message }: Error): boolean =>
  message.startsWith('Received a progress notification for an unknown');

const yes: Person = () => ({ action: 'accept', content: { decision: 'approved' } });

describe.each([
  ['the client of SDK v1', oldClient, undefined],
  ['the v2 client, legacy', newClient('legacy'), '2025-11-25'],
  ['the v2 client, auto', newClient('auto'), '2026-07-28'],
  ['the v2 client, pinned', newClient({ pin: '2026-07-28' }), '2026-07-28'],
])('%s', (_, connect, version) => {
  const opened = async (person: Person = yes) => {
    const home = openHome();
    const client = await connect(home, person);
    connected.push(client);
    return { home, client };
  };
  const untrusted = ({ work }: Home) => ({
    prompt: 'write',
    cwd: work,
    sandbox: 'danger-full-access',
    'approval-policy': 'untrusted',
  });

  it('lists the tools and takes their schemas', async () => {
    const { client } = await opened();
    expect(client.version()).toBe(version);
    expect((await client.list()).map(({ name }) => name)).toEqual(['codex', 'codex-reply']);
    await client.close();
    expect(client.errors).toEqual([]);
  });

  it('calls codex, asks its person, receives progress and takes the result', async () => {
    const questions: Json[] = [];
    const { home, client } = await opened((question) => {
      questions.push(question);
      return yes(question);
    });
    await client.list(); // from here on the client checks structured content against the output schema
    const updates: Json[] = [];
    const result = await client.call(untrusted(home), { onprogress: (progress) => updates.push(progress) });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'written' }],
      structuredContent: { threadId: expect.any(String), content: 'written' },
    });
    const message = `Allow Codex to run \`sh -c 'echo done > made.txt'\` in \`${home.work}\`?`; // clients drop all codex_… members
    expect(questions).toMatchObject([{ message }]);
    expect(readFileSync(join(home.work, 'made.txt'), 'utf8')).toBe('done\n');
    expect(updates.map(({ message }) => message)).toContain('I write.');
    await client.close();
    expect(client.errors.filter((error) => !isReadLate(error))).toEqual([]);
  });

  it('takes a no of its person', async () => {
    const { home, client } = await opened(() => ({ action: 'decline' }));
    expect(await client.call(untrusted(home))).toMatchObject({
      content: [{ text: "written\n\nNot done: `sh -c 'echo done > made.txt'`: the client declined it" }],
    });
    expect(existsSync(join(home.work, 'made.txt'))).toBe(false);
    await client.close();
  });

  it('cancels a call by its signal, and the connection goes on', async () => {
    const { home, client } = await opened();
    const abort = new AbortController();
    const call = client.call(
      { prompt: 'family', cwd: home.work, sandbox: 'danger-full-access', ...family },
      { signal: abort.signal },
    );
    const pids = await pidsIn(join(home.work, 'pids'), 3);
    abort.abort('enough');
    await expect(call).rejects.toThrow(/enough/);
    await gone(pids);
    expect(await client.list()).toHaveLength(2);
    await client.close();
    expect(client.errors).toEqual([]);
  });

  it('closes in the middle of a call, which is answered, and nothing is left', async () => {
    const { home, client } = await opened();
    const call = client.call({ prompt: 'family', cwd: home.work, sandbox: 'danger-full-access', ...family });
    const pids = [...(await pidsIn(join(home.work, 'pids'), 3)), client.pid() as number];
    expect(pids.every(isAlive)).toBe(true);
    await client.close();
    expect(await call).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('was stopped') }] });
    await gone(pids);
  });
});
