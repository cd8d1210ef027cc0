import fs from 'node:fs';
import { join } from 'node:path';
import { openAppender } from '../../../src/io/files/appendFile';
import type { FileError } from '../../../src/io/files/fileError';
import { modeOf, openFolder, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

describe('openAppender', () => {
  it('appends to a private file, at once', () => {
    const root = openFolder();
    const file = openAppender({ fs, root }, join(root, 'a/b'));
    file.append('one\n');
    file.append('two\n');
    expect(fs.readFileSync(join(root, 'a/b'), 'utf8')).toBe('one\ntwo\n');
    expect(modeOf(join(root, 'a/b'))).toBe(0o600);
    expect(file.size()).toBe(8);
    file.close();
  });

  it.each(['one', 'one\ntw', '{"a":"\n", "b'])('ends a last line that was cut off: %j', (text) => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'a'), text);
    const file = openAppender({ fs, root }, join(root, 'a'));
    file.append('next\n');
    file.close();
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe(`${text}\nnext\n`);
  });

  it('knows that its file was removed', () => {
    const root = openFolder();
    const file = openAppender({ fs, root }, join(root, 'a/b'));
    expect(file.removed()).toBeUndefined();
    fs.rmSync(join(root, 'a'), { recursive: true });
    expect(file.removed()).toMatchObject({ code: 'EREMOVED', message: expect.stringContaining('a/b was removed') });
    file.close();
  });

  it('goes on with a write that the system took in part', () => {
    const root = openFolder();
    const writeSync = ((fd: number, bytes: Uint8Array, at: number) =>
      fs.writeSync(fd, bytes, at, Math.min(2, bytes.length - at))) as typeof fs.writeSync;
    const file = openAppender({ fs: { ...fs, writeSync }, root }, join(root, 'a'));
    file.append('12345\n');
    file.close();
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('12345\n');
  });

  it('writes a long text in pieces, and no character in parts', () => {
    const root = openFolder();
    const text = `a${'😀'.repeat(400_000)}é\ud800\n`;
    const file = openAppender({ fs, root }, join(root, 'a'));
    const write = jest.spyOn(fs, 'writeSync');
    file.append(text);
    const lengths = write.mock.calls.map(([, bytes]) => (bytes as unknown as Uint8Array).length);
    write.mockRestore();
    file.close();
    expect(fs.readFileSync(join(root, 'a')).equals(Buffer.from(text))).toBe(true);
    expect(lengths).toHaveLength(4);
    expect(Math.max(...lengths)).toBeLessThan(1_000_000);
  });

  it('throws with the remedy where the disk is full', () => {
    const root = openFolder();
    const writeSync = () => {
      throw systemError('ENOSPC');
    };
    const file = openAppender({ fs: { ...fs, writeSync }, root }, join(root, 'a'));
    expect(() => file.append('one\n')).toThrow(/cannot be written: the disk is full: free some space/);
    file.close();
  });

  it('leaves no part of a text that it could not write as a whole', () => {
    const root = openFolder();
    let room = 9; // bytes
    const writeSync = ((fd: number, bytes: Uint8Array, at: number) => {
      if (room === 0) throw systemError('ENOSPC');
      const written = fs.writeSync(fd, bytes, at, Math.min(room, bytes.length - at));
      room -= written;
      return written;
    }) as typeof fs.writeSync;
    const file = openAppender({ fs: { ...fs, writeSync }, root }, join(root, 'a'));
    file.append('one\n');
    expect(() => file.append('two\nthree\n')).toThrow();
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('one\n');
    room = 9;
    file.append('two\n');
    file.close();
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('one\ntwo\n');
  });

  it('syncs in the background, and reports a disk that fails', () => {
    const root = openFolder();
    const failures: FileError[] = [];
    const fsync = ((_: number, done: (error: Error) => void) => done(systemError('EIO'))) as unknown as typeof fs.fsync;
    const file = openAppender({ fs: { ...fs, fsync }, root }, join(root, 'a'));
    file.sync((error) => failures.push(error));
    file.close();
    expect(failures.map(({ code }) => code)).toEqual(['EIO']);
  });

  it('closes after what it asked of the disk', () => {
    const root = openFolder();
    const done: string[] = [];
    const answers: (() => void)[] = [];
    const fsync = ((_: number, answer: () => void) => answers.push(answer)) as unknown as typeof fs.fsync;
    const closeSync = (fd: number) => {
      done.push('close');
      fs.closeSync(fd);
    };
    const file = openAppender({ fs: { ...fs, fsync, closeSync }, root }, join(root, 'a'));
    file.sync(() => done.push('failed'));
    file.close();
    expect(done).toEqual([]);
    for (const answer of answers) answer();
    expect(done).toEqual(['close']);
  });
});
