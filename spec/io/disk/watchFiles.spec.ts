/** Real processes: what the watcher does is done by a shell. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, type Subscription } from 'rxjs';
import { followFile, watchFiles } from '../../../src/io/disk/watchFiles';
import type { Spawn } from '../../../src/io/processes/child';
import { gone, until } from '../../support/processes';

/** A watcher, and the processes it was made of. */
const watched = () => {
  const watchers: ChildProcess[] = [];
  const spy: Spawn = (...args) => {
    const child = spawn(...args);
    watchers.push(child);
    return child;
  };
  return { watch: watchFiles({ spawn: spy }), watchers };
};

/** What the kernel does to the pipe when we die. */
const die = ({ stdin }: ChildProcess) => stdin?.destroy();

describe('watchFiles', () => {
  const base = mkdtempSync(join(tmpdir(), 'codex-rx-files-'));
  afterAll(() => rmSync(base, { recursive: true }));
  const file = (folder: string, name: string): string => {
    mkdirSync(join(base, folder), { recursive: true });
    writeFileSync(join(base, folder, name), '');
    return join(base, folder, name);
  };

  it('starts nothing before there is a file to watch', () => {
    expect(watched().watchers).toEqual([]);
  });

  it('removes the files that are left when its input ends, and folders that are empty then', async () => {
    const { watch, watchers } = watched();
    const files = [file('one', 'a b * $x'), file('two', 'a'), file('two', 'b'), file('three', 'a'), file('three', 'b')];
    const forgets = files.map((path) => watch(path));
    expect(watchers).toHaveLength(1);
    for (const i of [1, 3]) forgets[i]?.();
    forgets[3]?.();
    rmSync(files[3] as string);
    die(watchers[0] as ChildProcess);
    await until(() => !existsSync(files[4] as string), 'the files to go');
    await gone([watchers[0]?.pid as number]);
    expect(readdirSync(base).sort()).toEqual(['two']);
    expect(readdirSync(join(base, 'two'))).toEqual(['a']);
  });

  it('watches no path with a line break', () => {
    const { watch, watchers } = watched();
    watch(`${base}/a\nb`)();
    expect(watchers).toEqual([]);
  });

  it('starts again when it was killed, with what is left', async () => {
    const { watch, watchers } = watched();
    const [first, second] = [file('four', 'a'), file('four', 'b')];
    watch(first);
    const killed = watchers[0] as ChildProcess;
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.on('exit', resolve));
    watch(second);
    expect(watchers).toHaveLength(2);
    die(watchers[1] as ChildProcess);
    await until(() => !existsSync(join(base, 'four')), 'the folder to go');
  });
});

describe('followFile', () => {
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
