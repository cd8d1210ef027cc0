import fs from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { FileError } from '../../src/io/files/fileError';
import { type PrivateFiles, privateFiles } from '../../src/io/files/privateFiles';
import { listThreads } from '../../src/threads/listThreads';
import { lockDeps, modeOf, openFolder, removeFolders } from '../support/files';

afterAll(removeFolders);

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const pathOf = (home: string, n: number): string =>
  join(home, `sessions/2026/11/22/rollout-2026-11-22T00-00-${String(n % 60).padStart(2, '0')}-${idOf(n)}.jsonl`);

const rollout = (prompt: string): string =>
  [
    { type: 'session_meta', payload: { cwd: '/w' } },
    { type: 'event_msg', payload: { type: 'user_message', message: prompt } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** A home with so many threads, written so long ago; `list` emits prompts by id, and counts the rollouts that were read for it. */
const homeWith = (count: number, agoMs = 60_000) => {
  const home = openFolder();
  fs.mkdirSync(join(pathOf(home, 1), '..'), { recursive: true });
  for (let n = 1; n <= count; n += 1) fs.writeFileSync(pathOf(home, n), rollout(`prompt ${n}`));
  const list = async (own: Partial<PrivateFiles> = {}, limit = 2_000, after?: string) => {
    const files = { ...privateFiles(lockDeps(home)), ...own };
    const reads: string[] = [];
    const read: PrivateFiles['read'] = (path, maxBytes) => {
      reads.push(path);
      return files.read(path, maxBytes);
    };
    const now = () => Date.now() + agoMs;
    const found$ = listThreads({ files: { ...files, read }, home, now }, { after, limit, archived: false });
    const found = await firstValueFrom(found$);
    const countOf = (name: string) => reads.filter((path) => path.includes(name)).length;
    const prompts = new Map(found.map(({ id, preview }) => [id, preview]));
    return { found, prompts, reads: countOf('rollout-'), ofIndex: countOf('index') };
  };
  return { home, list, index: join(home, 'codex-rx/index/sessions.jsonl') };
};

const refuse = () => {
  throw new FileError('read-only', 'EROFS');
};

describe('listThreads', () => {
  it('reads each rollout once, and then only those that changed', async () => {
    const { home, list, index } = homeWith(120);
    const first = await list();
    expect([first.reads, first.found.length, modeOf(index)]).toEqual([120, 120, 0o600]);
    const second = await list();
    expect([second.reads, second.found]).toEqual([0, first.found]);
    fs.writeFileSync(pathOf(home, 5), rollout('another'));
    fs.appendFileSync(pathOf(home, 6), '{}\n');
    fs.rmSync(pathOf(home, 7));
    fs.writeFileSync(join(home, 'new'), rollout('replaced'));
    fs.renameSync(join(home, 'new'), pathOf(home, 8));
    fs.writeFileSync(pathOf(home, 121), rollout('new'));
    const third = await list();
    expect(third.reads).toBe(4);
    const prompts = [5, 6, 7, 8, 121].map((n) => third.prompts.get(idOf(n)));
    expect(prompts).toEqual(['another', 'prompt 6', undefined, 'replaced', 'new']);
  });

  it('reads again what may have changed within the tick of its first reading', async () => {
    const { list } = homeWith(120, 0);
    await list();
    expect((await list()).reads).toBe(120);
  });

  it('sees a change of equal length and time in another file of the name', async () => {
    const { home, list } = homeWith(120);
    await list();
    const { atime, mtime } = fs.statSync(pathOf(home, 5));
    fs.writeFileSync(join(home, 'new'), rollout('PROMPT 5'));
    fs.utimesSync(join(home, 'new'), atime, mtime);
    fs.renameSync(join(home, 'new'), pathOf(home, 5));
    expect((await list()).prompts.get(idOf(5))).toBe('PROMPT 5');
  });

  it.each([
    ['damaged in one line', (text: string) => text.replace('"size"', '"sise"'), 1],
    ['cut off', (text: string) => text.slice(0, text.length / 2), 61],
    ['of another version', (text: string) => text.replace('"version":1', '"version":0'), 120],
    ['empty', () => '', 120],
  ])('reads what an index that is %s does not hold', async (_, damage, reads) => {
    const { list, index } = homeWith(120);
    const { found } = await list();
    fs.writeFileSync(index, damage(fs.readFileSync(index, 'utf8')));
    expect(await list()).toMatchObject({ found, reads });
  });

  it('forgets threads that are gone, where it lists all', async () => {
    const { home, list, index } = homeWith(160);
    await list();
    for (let n = 1; n <= 40; n += 1) fs.rmSync(pathOf(home, n));
    for (let n = 201; n <= 240; n += 1) fs.writeFileSync(pathOf(home, n), rollout('new'));
    await list({}, 110);
    await list();
    expect(fs.readFileSync(index, 'utf8').split('\n')).toHaveLength(1 + 160 + 1);
  });

  it('reads every rollout where the index can neither be read nor written', async () => {
    const { list } = homeWith(120);
    const { found } = await list({ replace: refuse });
    const files = privateFiles(lockDeps('/'));
    const read: PrivateFiles['read'] = (path, max) => (path.includes('index') ? refuse() : files.read(path, max));
    expect(await list({ read })).toMatchObject({ found, reads: 120 });
  });

  it('follows no link in the place of the index', async () => {
    const { home, list, index } = homeWith(120);
    fs.mkdirSync(join(index, '..'), { recursive: true });
    fs.writeFileSync(join(home, 'target'), 'kept');
    fs.symlinkSync(join(home, 'target'), index);
    expect((await list()).found).toHaveLength(120);
    expect(fs.readFileSync(join(home, 'target'), 'utf8')).toBe('kept');
  });

  it('lists a page after a thread from its rollouts, and reads neither others nor the index', async () => {
    const { list } = homeWith(240);
    const { found } = await list();
    const listAfter = (n: number) => list({}, 110, found[n]?.path);
    expect(await listAfter(119)).toMatchObject({ found: found.slice(120, 230), reads: 110, ofIndex: 0 });
    expect(await listAfter(238)).toMatchObject({ found: found.slice(239), reads: 1, ofIndex: 0 });
    expect((await listAfter(239)).found).toEqual([]);
  });

  it('makes no index for a short list', async () => {
    const { list, index } = homeWith(120);
    expect((await list({}, 100)).reads).toBe(100);
    expect(fs.existsSync(index)).toBe(false);
  });

  it('lists more threads than one slice in their order', async () => {
    const { list } = homeWith(1_001);
    const { found } = await list();
    expect(found.map(({ startedMs }) => startedMs)).toEqual(
      found.map(({ startedMs }) => startedMs).sort((a, b) => b - a),
    );
    expect(found).toHaveLength(1_001);
  });
});
