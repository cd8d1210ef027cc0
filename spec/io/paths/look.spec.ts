import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cannotEnter,
  exactFactsAt,
  factsAt,
  isFile,
  isFolder,
  isProgram,
  isThere,
  isWritableFolder,
  linkFactsAt,
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
