import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { threads, threadsHere, toThreadTable } from '../../../src/cli/commands/threads';
import { plainOptions } from '../../../src/cli/commonOptions';
import { noColours } from '../../../src/io/terminal/paint';
import { modeOf } from '../../support/files';
import { openHome, removeHomes } from '../../support/home';
import { givenBy, problemBy } from '../reading';

afterAll(removeHomes);

const ID = '01a1fc7a-8f3c-7f31-b315-5156669fc66e';

/** The threads of a home with one of Codex 0.142.0. */
const opened = () => {
  const home = openHome();
  const folder = join(home.path, '.codex/sessions/2026/11/21');
  mkdirSync(folder, { recursive: true });
  const fixture = join(__dirname, '../../fixtures/rollouts/0.142.0.jsonl');
  copyFileSync(fixture, join(folder, `rollout-2026-11-21T05-00-52-${ID}.jsonl`));
  const processInfo = { codexHome: join(home.path, '.codex'), cwd: home.path, env: {}, version: '1.2.3' } as never;
  return { home, threads: threadsHere({ processInfo, options: plainOptions, log: () => {} }) };
};

const DAY_MS = 86_400_000;

const thread = (own: object) => ({
  id: '01a204a1',
  startedMs: 0,
  path: '/r',
  archived: false,
  writtenMs: 0,
  size: 1,
  cwd: '/work',
  provider: 'p',
  source: 'cli',
  cliVersion: '1',
  preview: 'hi',
  ...own,
});

describe('threads', () => {
  it.each([
    [[], { limit: 50 }],
    [['list', '--archived', '--limit', '1'], { action: 'list', archived: true, limit: 1 }],
    [['export', '01a2', '-o', 'tape.jsonl'], { action: 'export', id: '01a2', out: 'tape.jsonl' }],
    [['rm', '01a2', '-c', 'x=1'], { action: 'rm', id: '01a2', config: ['x=1'] }],
  ])('accepts %j', (argv, given) => expect(givenBy(threads, ...argv)).toMatchObject(given));

  it.each([
    [['remove', '01a2'], /^ACTION must be list, show, export, fork, archive, restore or rm; it is remove$/],
    [['list', '01a2'], /^list takes no id$/],
    [['rm'], /^rm needs the id of a thread$/],
    [['--limit', '0'], /limit/],
    [['--width', '29'], /width/],
  ])('refuses %j', (argv, problem) => expect(problemBy(threads, ...argv)).toMatch(problem));
});

describe('threadsHere', () => {
  it('draws a thread in marbles', async () => {
    const { lines } = await firstValueFrom(opened().threads.show(ID.slice(0, 8), { paint: noColours, width: 80 }));
    expect(lines[0]).toMatch(/^request +i.*c/);
    expect(lines.join('\n')).toContain('codex');
  });

  it('makes a tape of a thread, in a private file if one is named', async () => {
    const { home, threads } = opened();
    const out = join(home.path, 'tape.jsonl');
    await expect(lastValueFrom(threads.toTape(ID, out), { defaultValue: 'written' })).resolves.toBe('written');
    const pieces = await lastValueFrom(threads.toTape(ID, undefined).pipe(toArray()));
    expect(readFileSync(out, 'utf8').trim().split('\n')).toEqual(
      pieces
        .filter((text) => text !== '')
        .join('\n')
        .split('\n'),
    );
    expect(modeOf(out)).toBe(0o600);
    expect(JSON.parse(pieces[0]?.split('\n')[0] ?? '')).toMatchObject({ meta: { imported: 'rollout', thread: ID } });
  });

  it('makes no file for a tape of a thread that is not there', async () => {
    const { home, threads } = opened();
    const out = join(home.path, 'tape.jsonl');
    await expect(lastValueFrom(threads.toTape(ID.replace('0', '1'), out))).rejects.toThrow(/not found/);
    expect(existsSync(out)).toBe(false);
  });

  it('forks and removes', async () => {
    const { threads } = opened();
    const fork = await firstValueFrom(threads.fork(ID));
    expect(fork.preview).toBe('hi');
    await firstValueFrom(threads.remove(ID));
    expect((await firstValueFrom(threads.list({ limit: 9, archived: false }))).map(({ id }) => id)).toEqual([fork.id]);
  });
});

describe('toThreadTable', () => {
  it('aligns its columns and shows how long ago a thread was used', () => {
    const threads = [
      thread({ writtenMs: 3 * DAY_MS - 1_000 }),
      thread({ writtenMs: 3 * DAY_MS - 120_000 }),
      thread({ writtenMs: DAY_MS, preview: 'two\n lines' }),
    ];
    expect(toThreadTable(threads, { width: 80, nowMs: 3 * DAY_MS })).toEqual([
      'id        last used  folder  title',
      '01a204a1  now        /work   hi',
      '01a204a1  2 min      /work   hi',
      '01a204a1  2 d        /work   two lines',
    ]);
  });

  it('keeps to the width, shows the end of a long folder, and nothing that commands a terminal', () => {
    const [, row] = toThreadTable([thread({ cwd: `/${'a'.repeat(40)}/end`, preview: '\u001b[2Jx' })], {
      width: 60,
      nowMs: 0,
    });
    expect(row).toHaveLength(60);
    expect(row).toContain('/end');
    expect(row).not.toContain('\u001b');
  });
});
