import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knockAt, openLifeSocket, removeLifeSocket, sweepLifeSockets } from '../../../src/io/disk/lifeSocket';
import { openFolder, removeFolders } from '../../support/files';
import { until } from '../../support/processes';

afterAll(removeFolders);

/** A process that listens at a socket of this name until it is killed. */
const listener = async (path: string) => {
  const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
};

describe('a life socket', () => {
  it('is for its owner only, and answers as long as its process lives', () => {
    const folder = join(openFolder(), 'alive');
    const socket = openLifeSocket(folder, 'a');
    expect([lstatSync(folder).mode & 0o777, lstatSync(join(folder, 'a')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(knockAt(folder, socket)).toBe('lives');
  });

  it('answers for a process that is stopped, and no more for one that was killed', async () => {
    const folder = openFolder();
    const own = openLifeSocket(folder, 'own');
    const socket = { name: 'a', folder: own?.folder ?? '' };
    const child = await listener(join(folder, 'a'));
    child.kill('SIGSTOP');
    expect(knockAt(folder, socket)).toBe('lives');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([knockAt(folder, socket), existsSync(join(folder, 'a'))]).toEqual(['ended', true]);
    removeLifeSocket(folder, socket);
    expect([knockAt(folder, socket), existsSync(join(folder, 'a'))]).toEqual(['ended', false]);
  });

  it('is removed with others when it is old and its process has ended', async () => {
    const folder = openFolder();
    const [dead, fresh, lives] = ['dead', 'fresh', 'lives'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const children = await Promise.all([dead, fresh, lives].map(listener));
    for (const child of children.slice(0, 2)) child.kill('SIGKILL');
    await Promise.all(children.slice(0, 2).map((child) => once(child, 'exit')));
    for (const path of [dead, lives]) utimesSync(path, 0, 0);
    sweepLifeSockets(folder);
    await until(() => !existsSync(dead), 'the old socket to go');
    expect(readdirSync(folder).sort()).toEqual(['fresh', 'lives']);
    children[2]?.kill('SIGKILL');
  });

  it('is unknown of a process without a socket, and of one in another folder', () => {
    const folder = openFolder();
    const socket = openLifeSocket(folder, 'a');
    expect([knockAt(folder, undefined), knockAt(openFolder(), socket)]).toEqual(['unknown', 'unknown']);
    removeLifeSocket(openFolder(), socket);
    expect(knockAt(folder, socket)).toBe('lives');
  });

  it('is all that is removed: a file of the name that a planted lock gives stays', () => {
    const folder = openFolder();
    const own = openLifeSocket(folder, 'own');
    writeFileSync(join(folder, 'notes'), '');
    removeLifeSocket(folder, { name: 'notes', folder: own?.folder ?? '' });
    removeLifeSocket(folder, { name: 'none', folder: own?.folder ?? '' });
    expect(existsSync(join(folder, 'notes'))).toBe(true);
  });

  it('is not made behind a link, under a long path, or where nothing can be made', () => {
    const folder = openFolder();
    symlinkSync(openFolder(), join(folder, 'link'));
    expect(openLifeSocket(join(folder, 'link'), 'a')).toBeUndefined();
    expect(openLifeSocket(join(folder, 'x'.repeat(100)), 'a')).toBeUndefined();
    expect(openLifeSocket('/proc/self/none/alive', 'a')).toBeUndefined();
  });
});
