import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, type Subscription } from 'rxjs';
import { followFile } from '../../../src/io/disk/followFile';
import { until } from '../../support/processes';

const folder = mkdtempSync(join(tmpdir(), 'codex-rx-follow-'));
const subscriptions: Subscription[] = [];
afterEach(() => {
  for (const one of subscriptions.splice(0)) one.unsubscribe();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is emitted so far, as a text. */
const followed = (path: string): (() => string) => {
  const chunks: Uint8Array[] = [];
  subscriptions.push(followFile(path, folder).subscribe((chunk) => chunks.push(chunk)));
  return () => Buffer.concat(chunks).toString();
};

describe('followFile', () => {
  it('emits what is in the file, and each thing that is appended, once', async () => {
    const path = join(folder, 'grows');
    writeFileSync(path, 'one\n');
    const text = followed(path);
    appendFileSync(path, 'two\n'); // before anything was read
    await until(() => text() === 'one\ntwo\n', 'what was there');
    appendFileSync(path, 'three\n');
    await until(() => text().endsWith('three\n'), 'what came');
    for (const i of [4, 5, 6]) appendFileSync(path, `${i}\n`);
    await until(() => text().endsWith('6\n'), 'what came at once');
    expect(text()).toBe('one\ntwo\nthree\n4\n5\n6\n');
  });

  it('follows a file that is empty, and one of several chunks', async () => {
    const path = join(folder, 'empty');
    writeFileSync(path, '');
    const text = followed(path);
    const large = 'x'.repeat(300_000);
    appendFileSync(path, large);
    await until(() => text().length >= large.length, 'all of it');
    expect(text()).toBe(large);
  });

  it('reads what is no file to its end', async () => {
    await expect(firstValueFrom(followFile('/dev/null', '/dev'), { defaultValue: 'completed' })).resolves.toBe(
      'completed',
    );
  });

  it('waits for a file that is not there', async () => {
    const path = join(folder, 'later');
    const text = followed(path);
    writeFileSync(join(folder, 'other'), 'other\n');
    writeFileSync(path, 'one\n');
    await until(() => text() === 'one\n', 'what was written first');
    appendFileSync(path, 'two\n');
    await until(() => text() === 'one\ntwo\n', 'what came');
  });

  it('errors where there is no folder', async () => {
    await expect(firstValueFrom(followFile(join(folder, 'none', 'tape'), join(folder, 'none')))).rejects.toThrow(
      'ENOENT',
    );
  });
});
