import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  cannotEnter,
  exactFactsAt,
  factsAt,
  factsOrThrow,
  isAbsent,
  isFile,
  isFolder,
  isProgram,
  isThere,
  isWritableFolder,
  linkFactsAt,
  linkFactsOrThrow,
  lookAt,
  lookAtLink,
  readIfThere,
  readRegular,
  realPathOf,
} from '../../../src/io/paths/look';
import { openHome, removeHomes } from '../../support/home';

const home = openHome();

const at = (name: string): string => join(home.path, name);

beforeAll(() => {
  writeFileSync(at('text'), 'text', { mode: 0o644 });
  writeFileSync(at('run'), '');
  chmodSync(at('run'), 0o755);
  mkdirSync(at('folder'));
  symlinkSync(at('run'), at('link'));
  symlinkSync(at('gone'), at('broken'));
  symlinkSync('loop', at('loop'));
});

afterAll(removeHomes);

/** Each way in which the system refuses a look. */
const HOPELESS: [string, string][] = [
  ['nothing', 'none'],
  ['a link to nothing', 'broken'],
  ['a path below a file', 'text/below'],
  ['a loop of links', 'loop'],
  ['a path through a loop of links', 'loop/below'],
  ['a name that is too long', 'x'.repeat(300)],
  ['a path that is too long', 'x/'.repeat(3_000)],
  ['a name that no file can have', 'a\0b'],
];

describe('a look at a path', () => {
  it.each(HOPELESS)('finds nothing at %s', (_, name) => {
    const path = at(name);
    expect([isThere, isFile, isFolder, isProgram, isWritableFolder].map((look) => look(path))).toEqual(
      Array(5).fill(false),
    );
    expect([factsAt(path), realPathOf(path)]).toEqual([undefined, undefined]);
    expect(cannotEnter(path)?.message).toEqual(expect.any(String));
  });

  it.each([
    ['a file', 'text', { file: true, folder: false, program: false, real: 'text' }],
    ['a program', 'run', { file: true, folder: false, program: true, real: 'run' }],
    ['a link to one', 'link', { file: true, folder: false, program: true, real: 'run' }],
    ['a folder', 'folder', { file: false, folder: true, program: false, real: 'folder' }],
  ])('knows %s', (_, name, { file, folder, program, real }) => {
    const path = at(name);
    expect([isThere(path), isFile(path), isFolder(path), isProgram(path)]).toEqual([true, file, folder, program]);
    expect([realPathOf(path), isWritableFolder(path)]).toEqual([at(real), folder]);
  });

  it('has the facts of what a link leads to, and those of the link', () => {
    expect([factsAt(at('link'))?.isFile(), linkFactsAt(at('link'))?.isSymbolicLink()]).toEqual([true, true]);
    expect([linkFactsAt(at('loop'))?.isSymbolicLink(), linkFactsAt(at('text/below'))]).toEqual([true, undefined]);
    expect(exactFactsAt(at('link'))?.ino).toBe(BigInt(linkFactsAt(at('link'))?.ino ?? 0));
    expect(exactFactsAt(at('none'))).toBeUndefined();
  });

  it('knows why a folder cannot be entered', () => {
    expect([cannotEnter(at('folder')), cannotEnter(at('text/below'))?.code]).toEqual([undefined, 'ENOTDIR']);
  });
});

describe('a look that decides about safety', () => {
  it.each(['none', 'text/below', 'x'.repeat(300)])('finds that nothing can be at %s', (name) => {
    expect([lookAt(at(name)), lookAtLink(at(name))]).toEqual([{ kind: 'absent' }, { kind: 'absent' }]);
    expect(() => factsOrThrow(at(name))).toThrow();
  });

  it('does not know what is behind a loop of links, which may be there for others', () => {
    expect(lookAt(at('loop'))).toEqual({ kind: 'unknown', error: expect.objectContaining({ code: 'ELOOP' }) });
    expect(lookAtLink(at('loop/below')).kind).toBe('unknown');
    expect(() => linkFactsOrThrow(at('loop/below'))).toThrow('ELOOP');
  });

  it('has the facts of what is there', () => {
    const [behind, itself] = [lookAt(at('link')), lookAtLink(at('link'))];
    expect([behind.kind === 'there' && behind.facts.isFile(), factsOrThrow(at('link')).isFile()]).toEqual([true, true]);
    expect(itself.kind === 'there' && itself.facts.isSymbolicLink()).toBe(true);
    expect(linkFactsOrThrow(at('link')).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['ENOENT', true],
    ['ENOTDIR', true],
    ['EACCES', false],
    ['ELOOP', false],
    ['EIO', false],
  ])('takes %s for absence: %j', (code, expected) => {
    expect(isAbsent(Object.assign(new Error(), { code }))).toBe(expected);
  });
});

describe('readIfThere', () => {
  it('reads a file, and nothing where there is none', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect([readIfThere(join(home.path, 'a.txt')), readIfThere(join(home.path, 'b.txt'))]).toEqual(['text', undefined]);
  });

  it.each(['/dev/zero', 'fifo'])('does not wait for what is no regular file: %s', (name) => {
    const path = resolve(openHome().path, name);
    if (name === 'fifo') execFileSync('mkfifo', [path]);
    for (const read of [readIfThere, readRegular])
      expect(() => read(path)).toThrow(`${path} is not a regular file: remove it, or move it away`);
  });

  it('does not read a file of holes, which would hold up the whole program', () => {
    const path = join(openHome().path, 'holes');
    writeFileSync(path, '');
    truncateSync(path, 64 * 1024 * 1024 + 1);
    for (const read of [readIfThere, readRegular])
      expect(() => read(path)).toThrow('it has 67108865 bytes; at most 67108864 are read');
  });

  it('takes a path below a file for absent, as nothing can be there', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect(readIfThere(join(home.path, 'a.txt', 'below'))).toBeUndefined();
  });

  it('throws for a file that has to be there', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect(readRegular(join(home.path, 'a.txt'))).toBe('text');
    expect(() => readRegular(join(home.path, 'b.txt'))).toThrow('ENOENT');
  });

  it('throws if a loop of links hides what is there', () => {
    const home = openHome();
    symlinkSync('loop', join(home.path, 'loop'));
    expect(() => readIfThere(join(home.path, 'loop'))).toThrow('ELOOP');
  });

  it('throws where it cannot be read', () => {
    const home = openHome();
    mkdirSync(join(home.path, 'folder'));
    expect(() => readIfThere(join(home.path, 'folder'))).toThrow('EISDIR');
  });
});
