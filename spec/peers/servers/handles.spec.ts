/** The official v2 client, in all its modes, and a server of the v2 SDK whose handles differ from run to run: recorded, played, verified. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client, fromJsonSchema } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLine, type Json } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(90_000);
beforeAll(() => void installed('modernServer'), INSTALL_MS);
afterEach(removeHomes);

type Mode = 'auto' | 'legacy' | { pin: string };

const serverWith = (...changed: string[]): string[] => [
  process.execPath,
  join(__dirname, 'handlesServer.mjs'),
  join(installed('modernServer'), '../..'),
  ...changed,
];

const ANSWERS: Record<string, Record<string, string>> = { 'Name?': { name: 'Ada' }, 'Town?': { town: 'Ulm' } };

const connect = async ({ path, work }: Home, mode: Mode, [command, args]: [string, string[]]) => {
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: 'peer', version: '0' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: ANSWERS[params.message] ?? {},
  }));
  await client.connect(new StdioClientTransport({ command, args, cwd: work, env: { HOME: path }, stderr: 'ignore' }));
  return client;
};

const call = async (client: Client, name: string, given: Json = {}): Promise<Json> => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { text: (content[0] as Json).text, is: structuredContent as Json, isError };
};

/** Opens a handle of each form and uses it; two of one form at once, the second before the first. */
const useHandles = async (client: Client) => {
  const got: unknown[] = [];
  for (const form of ['hex', 'ulid', 'letters', 'number', 'descriptor']) {
    const { is } = await call(client, 'open', { form });
    const [handle] = Object.values(is);
    const used = await call(client, 'use', form === 'descriptor' ? { fd: handle } : { of: handle });
    got.push(used.text.replace(handle, 'it'), used.isError);
  }
  const [one, two] = await Promise.all([call(client, 'open', { form: 'hex' }), call(client, 'open', { form: 'hex' })]);
  for (const { is } of [two, one]) got.push((await call(client, 'use', { of: is.value })).isError);
  return got;
};

const readPages = async (client: Client) => {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.request({ method: 'resources/list', params: cursor === undefined ? {} : { cursor } });
    names.push(...page.resources.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
};

const watchBook = async (client: Client) => {
  const noticed: string[] = [];
  const both = new Promise<void>((done) => {
    const notice = ({ method }: { method: string }) => {
      noticed.push(method);
      if (noticed.length === 2) done();
    };
    client.setNotificationHandler('notifications/resources/updated', notice);
    client.setNotificationHandler('notifications/tools/list_changed', notice);
  });
  const filter = { toolsListChanged: true, resourceSubscriptions: ['book://v1'] };
  const subscription = client.getProtocolEra() === 'modern' ? await client.listen(filter) : undefined;
  await call(client, 'touch');
  await both;
  const { contents } = await client.readResource({ uri: 'book://v1' });
  await subscription?.close();
  return [noticed, contents[0]];
};

const runTask = async (client: Client) => {
  const { taskId } = (await call(client, 'start')).is;
  const poll = () =>
    client.request({ method: 'tasks/get', params: { taskId } }, fromJsonSchema<Json>({ type: 'object' }));
  const [first, second] = [await poll(), await poll()];
  return [first.status, second.status, second.result.content, second.taskId === taskId];
};

/** What a client gets of a server, without the handles. */
const used = async (home: Home, mode: Mode, command: [string, string[]]) => {
  const client = await connect(home, mode, command);
  try {
    const { tools } = await client.listTools();
    return {
      tools: tools.map(({ name }) => name),
      handles: await useHandles(client),
      echo: await call(client, 'echo2024'),
      greeting: await call(client, 'greet'),
      pages: await readPages(client),
      book: await watchBook(client),
      task: await runTask(client),
    };
  } finally {
    await client.close();
  }
};

const run = (home: Home, ...args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { stdout, stderr, status } = spawnSync(program, rest, { cwd: home.work, env: home.env, encoding: 'utf8' });
  return { stdout, stderr, status };
};

/** The requests whose results differ if one value of the server is another one. */
type Change = [changed: string, labels: string[]];
const TASK: Change = ['task', ['tasks/get']];
const CHANGES: Change[] = [
  TASK,
  ['hex', ['tools/call use', 'tools/call use', 'tools/call use']],
  ['number', ['tools/call use']],
  ['book', ['resources/read']],
  ['name', ['tools/list', 'tools/call echo2024']],
];

describe.each<[string, Mode, number, Change[]]>([
  ['auto', 'auto', 2, CHANGES],
  ['pinned', { pin: '2026-07-28' }, 2, [TASK]],
  ['legacy', 'legacy', 1, [TASK]],
])('the v2 client, %s', (_, mode, sessions, changes) => {
  it('gets the same of the recorder and of the tape; the server is the same by it, but for what is changed', async () => {
    const home = openHome();
    const tape = join(home.work, 'tape.jsonl');
    const recorded = await used(home, mode, commandLine('record', '-q', '-o', tape, '--', ...serverWith()));
    expect(recorded.handles.filter((value) => value === true)).toEqual([]);
    expect(recorded.greeting).toMatchObject({ text: 'Hello, Ulm' });
    expect(await used(home, mode, commandLine('replay', tape))).toEqual(recorded);

    const same = run(home, 'replay', tape, '--', ...serverWith());
    expect([same.status, same.stdout]).toEqual([
      0,
      expect.stringMatching(sessions === 1 ? /^SAME: / : /^2 sessions: 2 the same, 0 differ, 0 cannot be used\n$/),
    ]);
    for (const [changed, labels] of changes) {
      const { stdout, status } = run(home, 'replay', tape, '--report', 'json', '--', ...serverWith(changed));
      const report = JSON.parse(stdout);
      const differences = [report, ...(report.sessions ?? [])].flatMap((one) => one.differences ?? []);
      expect([changed, status, differences.map(({ request }) => request)]).toEqual([changed, 1, labels]);
    }
  });

  it('makes a tape whose generated spec passes, and fails if a value is changed', async () => {
    const home = openHome();
    const tape = join(home.work, 'tape.jsonl');
    await used(home, mode, commandLine('record', '-q', '-o', tape, '--', ...serverWith()));
    mkdirSync(join(home.work, 'node_modules'));
    symlinkSync(resolve(__dirname, '../../..'), join(home.work, 'node_modules/codex-rx'));
    const testOf = (name: string, ...changed: string[]) => {
      expect(run(home, 'marbles', tape, '-o', name, '--', ...serverWith(...changed)).status).toBe(0);
      return spawnSync(process.execPath, ['--test', '--test-reporter=tap', name], {
        cwd: home.work,
        env: home.env,
        encoding: 'utf8',
      }).stdout;
    };
    expect(testOf('same.test.mjs')).toMatch(/^# pass 1$/m);
    expect(testOf('changed.test.mjs', 'task')).toContain('expected "done", actual "failed"');
  });
});
