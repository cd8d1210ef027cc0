import fs from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { firstValueFrom, queueScheduler } from 'rxjs';
import type { FileSystem } from '../../src/io/files/fileSystem';
import { privateFiles } from '../../src/io/files/privateFiles';
import { toStream } from '../../src/streams/awaitable';
import { fileThreads } from '../../src/threads/fileThreads';
import type { ThreadStore } from '../../src/threads/threadStore';
import { lockDeps, modeOf, openFolder, removeFolders, systemError } from '../support/files';
import { readThread } from './support';

afterAll(removeFolders);

const ID = '01a204a1-3f92-7243-96c5-2be9fe898371';
const start = { id: ID, cwd: '/work', provider: 'mock', own: {} };

const storeIn = (home: string, more: Partial<FileSystem> = {}, codex?: number) => {
  const deps = lockDeps(home, undefined, more);
  const failures: string[] = [];
  const store = fileThreads({
    files: privateFiles(deps),
    home,
    version: '1.2.3',
    systemLock: () => codex,
    now: () => Date.UTC(2026, 10, 22),
    soon: (run) => run(),
    starts: queueScheduler,
    later: (run) => run(),
    failed: ({ message }) => void failures.push(message),
    recovered: () => void failures.push('recovered'),
  });
  return { store, failures };
};

const begunAndClosed = async (store: ThreadStore) => (await firstValueFrom(toStream(store.begin(start)))).close();

describe('fileThreads', () => {
  it('writes where Codex does, privately, a first line that Codex reads', async () => {
    const home = openFolder();
    await begunAndClosed(storeIn(home).store);
    const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    expect(modeOf(path)).toBe(0o600);
    expect(['sessions', 'sessions/2026/11/22', 'codex-rx'].map((name) => modeOf(join(home, name)))).toEqual([
      0o700, 0o700, 0o700,
    ]);
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual({
      timestamp: '2026-11-22T00:00:00.000Z',
      type: 'session_meta',
      payload: {
        id: ID,
        session_id: ID,
        timestamp: '2026-11-22T00:00:00.000Z',
        cwd: '/work',
        originator: 'codex_rx',
        cli_version: '1.2.3',
        source: 'vscode',
        model_provider: 'mock',
        codex_rx: {},
      },
    });
  });

  it.each([
    ['the disk is full', 'writeSync', 'ENOSPC', /disk is full/],
    ['the home is read-only', 'mkdirSync', 'EROFS', /read-only/],
  ])('reports once that %s, and goes on', async (_, name, code, reason) => {
    const failing = () => {
      throw systemError(code);
    };
    const { store, failures } = storeIn(join(openFolder(), 'home'), { [name]: failing });
    for (const id of [ID, ID.replace('0', '1')]) {
      const record = await firstValueFrom(toStream(store.begin({ ...start, id })));
      record.endTurn();
      record.close();
    }
    expect(failures).toEqual([expect.stringMatching(reason)]);
  });

  it('keeps all of a thread for which there was no room for a while, and reports each while once', async () => {
    const disk = { isFull: false };
    const writeSync = ((...args: Parameters<FileSystem['writeSync']>) => {
      if (disk.isFull) throw systemError('ENOSPC');
      return fs.writeSync(...args);
    }) as FileSystem['writeSync'];
    const { store, failures } = storeIn(openFolder(), { writeSync });
    const record = await firstValueFrom(toStream(store.begin(start)));
    for (const isFull of [false, true, true, false, true, false]) {
      disk.isFull = isFull;
      record.write({ type: 'event_msg', payload: { type: 'error', message: 'x' } });
      record.endTurn();
    }
    record.close();
    expect(failures).toEqual([expect.stringMatching(/full/), 'recovered', expect.stringMatching(/full/), 'recovered']);
    const { lines } = await firstValueFrom(store.read(ID));
    expect(lines).toHaveLength(7);
  });

  it('refuses a thread that Codex has loaded', async () => {
    const home = openFolder();
    await begunAndClosed(storeIn(home).store);
    await expect(firstValueFrom(storeIn(home, {}, 4711).store.resume(ID))).rejects.toThrow(
      /in use by Codex \(process 4711\)/,
    );
  });

  it('does not archive a thread that is open in the same server; the error names when it can be', async () => {
    const { store } = storeIn(openFolder());
    await begunAndClosed(store);
    const { record } = await firstValueFrom(store.resume(ID));
    await expect(firstValueFrom(store.archive(ID))).rejects.toThrow(
      `The thread ${ID} is open in this server. Continue it by its whole id; archive it after thread/unsubscribe, or when the server has ended.`,
    );
    record.close();
    await expect(firstValueFrom(store.archive(ID))).resolves.toMatchObject({ id: ID, archived: true });
  });

  it('refuses a file that is no rollout, and gives the thread back', async () => {
    const home = openFolder();
    const { store } = storeIn(home);
    await begunAndClosed(store);
    const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    fs.writeFileSync(path, '{"a":1}\n');
    await expect(firstValueFrom(store.resume(ID))).rejects.toThrow(/cannot be resumed: .* does not begin as a rollout/);
    await expect(firstValueFrom(store.fork(ID, ID))).rejects.toThrow(/cannot be forked/);
    expect(fs.readdirSync(join(home, 'codex-rx/locks'))).toEqual([]);
  });

  it('resumes a long thread in turns of the event loop, and releases it if nobody waits for it any more', async () => {
    const home = openFolder();
    const { store } = storeIn(home);
    await begunAndClosed(store);
    const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(1_000_000) }] };
    fs.appendFileSync(path, `${JSON.stringify({ type: 'response_item', payload: message })}\n`.repeat(5));
    const seen: unknown[] = [];
    store
      .resume(ID)
      .subscribe((thread) => seen.push(thread))
      .unsubscribe();
    expect(seen).toEqual([]);
    const { items, record } = await firstValueFrom(store.resume(ID));
    record.close();
    expect(items).toHaveLength(5);
    expect(fs.readdirSync(join(home, 'codex-rx/locks'))).toEqual([]);
  });

  it('resumes the same thread where it leaves out the items that a compaction replaced', async () => {
    const line = (type: string, payload: object) => JSON.stringify({ timestamp: 't', type, payload });
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text }],
    });
    const lines = fc.oneof(
      { weight: 4, arbitrary: fc.nat(9).map((n) => line('response_item', message('user', `p${n}`))) },
      { weight: 2, arbitrary: fc.nat(9).map((n) => JSON.stringify(message('assistant', `old ${n}`))) },
      fc.constantFrom('task_started', 'task_complete').map((type) => line('event_msg', { type })),
      fc.nat(2).map((num_turns) => line('event_msg', { type: 'thread_rolled_back', num_turns })),
      fc.nat(9).map((n) => line('turn_context', { cwd: `/w${n}` })),
      fc.nat(9).map((n) => line('compacted', { message: `m${n}` })),
      fc.nat(9).map((n) => line('compacted', { message: '', replacement_history: [message('user', `r${n}`)] })),
      fc.constant(line('compacted', { message: '', replacement_history: [] }).slice(0, -3)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 20 }), async (later) => {
        const home = openFolder();
        const text = [line('session_meta', { id: ID, cwd: '/w' }), ...later, ''].join('\n');
        const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
        fs.mkdirSync(dirname(path), { recursive: true });
        fs.writeFileSync(path, text);
        const { record, ...thread } = await firstValueFrom(storeIn(home).store.resume(ID));
        record.close();
        expect(thread).toEqual(readThread(text));
      }),
    );
  });

  it('does not read the items before the last compaction', async () => {
    const home = openFolder();
    const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    fs.mkdirSync(dirname(path), { recursive: true });
    const item =
      '{"timestamp":"t","ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[]}}\n';
    const compacted = '{"timestamp":"t","type":"compacted","payload":{"message":"","replacement_history":[]}}\n';
    fs.writeFileSync(path, `{"type":"session_meta","payload":{"id":"${ID}"}}\n${item.repeat(50)}${compacted}${item}`);
    const parse = jest.spyOn(JSON, 'parse');
    const { items, record } = await firstValueFrom(storeIn(home).store.resume(ID));
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    record.close();
    expect(items).toHaveLength(1);
    expect(parsed).toBeLessThan(10);
  });

  it('reads no rollout through a link', async () => {
    const [home, other] = [openFolder(), openFolder()];
    await begunAndClosed(storeIn(other).store);
    fs.symlinkSync(join(other, 'sessions'), join(home, 'sessions'));
    await expect(firstValueFrom(storeIn(home).store.resume(ID))).rejects.toThrow(/links are not followed/);
  });

  it('leaves nothing of a fork of a long thread that is stopped', async () => {
    const home = openFolder();
    const { store } = storeIn(home);
    await begunAndClosed(store);
    const folder = join(home, 'sessions/2026/11/22');
    const path = join(folder, `rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    fs.appendFileSync(path, `{"type":"moon","payload":"${'x'.repeat(999_999)}"}\n`.repeat(8));
    const forking = store.fork(ID, ID.replace('0', '1')).subscribe();
    expect(fs.readdirSync(folder)).toHaveLength(2); // a part, as a draft
    forking.unsubscribe();
    expect(fs.readdirSync(folder)).toHaveLength(1);
  });

  it('keeps lines of unknown kinds in a fork', async () => {
    const home = openFolder();
    const { store } = storeIn(home);
    await begunAndClosed(store);
    const path = join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-00-${ID}.jsonl`);
    fs.appendFileSync(path, '{"type":"moon","payload":{}}\n{"type":"cut');
    const fork = await firstValueFrom(store.fork(ID, ID.replace('0', '1')));
    expect(fs.readFileSync(fork.path, 'utf8').split('\n').slice(1)).toEqual(['{"type":"moon","payload":{}}', '']);
  });
});
