/** A command of one thread puts a link in the place of a folder of another. Whoever continues or begins a thread there does not follow it. */
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

afterEach(endServers);
afterEach(removeHomes);

describe('a thread whose folder a link has replaced', () => {
  it('is not continued by the next process, until the folder is back or another is named', async () => {
    const { home, out } = place();
    const threadId = await begun(home, { cwd: at(home, 'sub') });
    swap(home, 'sub', out);
    const server = await open(home);
    expect(await reply(server, { threadId })).toBe(
      `The folder ${at(home, 'sub')} is not the one in which this thread worked: a link leads to ${out} now. Put the folder back. Only if you know that the new one is right, name that by the argument cwd, or begin a new thread.`,
    );
    expect(await reply(server, { threadId, cwd: at(home, 'sub') })).toContain('is not the one in which');
    expect(await reply(server, { threadId, cwd: at(home, 'other') })).toContain('done in other');
    restore(home, 'sub');
    expect(await reply(server, { threadId, cwd: at(home, 'sub') })).toContain('done in sub');
    expect(readdirSync(out)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['after idle time', ['--keep-threads', '0.2']],
    ['in memory', []],
  ])('is not continued %s, also if a folder above it was replaced', async (_, args) => {
    const { home, out } = place();
    mkdirSync(join(out, 'inner'));
    const server = await open(home, ...args);
    const threadId = await call(server, { cwd: at(home, 'sub/inner') });
    swap(home, 'sub', out);
    await new Promise((wake) => setTimeout(wake, 900));
    expect(await reply(server, { threadId })).toMatch(/is not the one in which this thread worked|has become a link/);
    expect(readdirSync(join(out, 'inner'))).toEqual([]);
  });

  it('is not continued if a further root is one, or the link that named it leads elsewhere', async () => {
    const { home, out } = place();
    symlinkSync('other', at(home, 'named'));
    const root = ['-c', `sandbox_workspace_write.writable_roots=["${at(home, 'sub')}"]`];
    const one = await begun(home, { cwd: at(home, 'other') }, ...root);
    const two = await begun(home, { cwd: at(home, 'named') });
    swap(home, 'sub', out);
    unlinkSync(at(home, 'named'));
    symlinkSync('sub.old', at(home, 'named'));
    const server = await open(home, ...root);
    expect(await reply(server, { threadId: one })).toContain(`${at(home, 'sub')} is not the one in which`);
    expect(await reply(server, { threadId: two })).toContain(`it led to ${at(home, 'other')}, and leads to`);
  });

  it('is not continued if Codex began it, which keeps no real paths', async () => {
    const { home, out } = place();
    swap(home, 'sub', out);
    const threadId = '01a1fc7a-8f3c-7f31-b315-5156669fc66e';
    const name = `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${threadId}.jsonl`;
    const meta = { id: threadId, timestamp: '2026-01-01T00:00:00Z', cwd: at(home, 'sub') };
    const turn = { cwd: at(home, 'sub'), approval_policy: 'never', sandbox_policy: { type: 'workspace-write' } };
    home.write(name, [line('session_meta', meta), line('turn_context', turn)].join(''));
    const server = await open(home);
    expect(await reply(server, { threadId })).toContain('is not the one in which');
    restore(home, 'sub');
    expect(await reply(server, { threadId })).toContain('done in sub');
  });

  it('is continued in a folder that was made again at the same place', async () => {
    const { home } = place();
    const threadId = await begun(home, { cwd: at(home, 'sub') });
    rmSync(at(home, 'sub'), { recursive: true });
    mkdirSync(at(home, 'sub'));
    expect(await reply(await open(home), { threadId })).toContain('done in sub');
    expect(readdirSync(at(home, 'sub'))).toEqual(['made']);
  });
});

describe('a server whose own folder a link has replaced', () => {
  it.each<[string, string[]]>([
    ['with --lock', ['--lock']],
    ['without a lock', []],
  ])('begins no thread, %s', async (_, args) => {
    const { home, out } = place();
    const server = await open({ ...home, work: at(home, 'sub') }, ...args);
    swap(home, 'sub', out);
    const texts = [await text(server, { cwd: undefined }), await text(server, { cwd: '.' })];
    for (const one of texts)
      expect(one).toContain(
        `working folder ${at(home, 'sub')} has become a link since the server started, and leads to ${out};`,
      );
    expect(readdirSync(out)).toEqual([]);
  });
});

describe('a further root that is reached by a link in the folder of the thread', () => {
  it('is refused, because a command of an earlier thread could have made the link', async () => {
    const { home, out } = place();
    symlinkSync(out, at(home, 'root'));
    const server = await open(home, '-c', `sandbox_workspace_write.writable_roots=["${at(home, 'root')}"]`);
    expect(await text(server, { cwd: home.work })).toContain(
      `${at(home, 'root')} leads to ${out} by a link in ${home.work}, which is writable too`,
    );
    expect(await text(server, { cwd: at(home, 'other') })).toContain('done in other');
  });
});

const at = (home: Home, name: string): string => join(home.work, name);

/** A work folder with folders in it, and a folder outside. */
const place = (): { home: Home; out: string } => {
  const home = openHome();
  const out = join(home.path, 'outside');
  for (const folder of [out, at(home, 'sub'), at(home, 'sub/inner'), at(home, 'other')]) mkdirSync(folder);
  return { home, out };
};

/** What a command of a thread in the work folder may do. */
const swap = (home: Home, name: string, target: string): void => {
  renameSync(at(home, name), at(home, `${name}.old`));
  symlinkSync(target, at(home, name));
};

const restore = (home: Home, name: string): void => {
  unlinkSync(at(home, name));
  renameSync(at(home, `${name}.old`), at(home, name));
};

const script = {
  scenes: [
    {
      when: '.',
      answers: [
        {
          items: [{ call: 'shell', args: { command: ['sh', '-c', 'touch made && echo done in $(basename $(pwd))'] } }],
        },
        { items: [{ text: '{{output}}' }] },
      ],
    },
  ],
};

/** What is temporary would be writable, and these folders are in it. */
const ARGS = [
  ...['--engine', 'native', '-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
  ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
];

const open = async (home: Home, ...args: string[]): Promise<Peer> => {
  const server = startServer({ home, script, args: [...ARGS, ...args] });
  await greet(server);
  return server;
};

const SETTINGS = { 'approval-policy': 'never', sandbox: 'workspace-write' };

const answer = (server: Peer, settings: Json): Promise<Json> =>
  server.request('tools/call', codexCall(server, 'go', { ...SETTINGS, ...settings }));
const text = async (server: Peer, settings: Json): Promise<string> => textOf(await answer(server, settings));
const call = async (server: Peer, settings: Json): Promise<string> =>
  (await answer(server, settings)).result.structuredContent.threadId;
const reply = async (server: Peer, args: Json): Promise<string> =>
  textOf(await server.request('tools/call', { name: 'codex-reply', arguments: { prompt: 'go on', ...args } }));

/** The id of a thread that a process began which has ended. */
const begun = async (home: Home, settings: Json, ...args: string[]): Promise<string> => {
  const server = await open(home, ...args);
  const threadId = await call(server, settings);
  await server.end();
  return threadId;
};

const line = (type: string, payload: Json): string =>
  `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type, payload })}\n`;
