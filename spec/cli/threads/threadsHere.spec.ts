import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { threadsHere } from '../../../src/cli/commands/threads';
import { plainOptions } from '../../../src/cli/commonOptions';
import { noColours } from '../../../src/io/terminal/paint';
import { modeOf } from '../../support/files';
import { openHome, removeHomes } from '../../support/home';

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

describe('threadsHere', () => {
  it('draws a thread in marbles', async () => {
    const { lines } = await firstValueFrom(opened().threads.show(ID.slice(0, 8), { paint: noColours, width: 80 }));
    expect(lines[0]).toMatch(/^request +i.*c/);
    expect(lines.join('\n')).toContain('codex');
  });

  it('makes a tape of a thread, in a private file where one is named', async () => {
    const { home, threads } = opened();
    const out = join(home.path, 'tape.jsonl');
    const { text } = await firstValueFrom(threads.toTape(ID, out));
    expect(readFileSync(out, 'utf8')).toBe(`${text}\n`);
    expect(modeOf(out)).toBe(0o600);
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ meta: { imported: 'rollout', thread: ID } });
  });

  it('forks and removes', async () => {
    const { threads } = opened();
    const fork = await firstValueFrom(threads.fork(ID));
    expect(fork.preview).toBe('hi');
    await firstValueFrom(threads.remove(ID));
    expect((await firstValueFrom(threads.list({ limit: 9, archived: false }))).map(({ id }) => id)).toEqual([fork.id]);
  });
});
