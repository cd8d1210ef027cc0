/** Another user owns a folder, or a file, that a process of root writes its own files to; root writes nothing there. */
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesHere } from '../../src/io/disk/filesHere';
import { createNamed, makeNamedFolder, openLogFile, openToAppend, replaceNamed } from '../../src/io/disk/namedHere';
import { checkPlaceOfRoot } from '../../src/io/files/placeOfRoot';
import { removeFolder } from '../support/files';
import { needs } from '../support/needs/needs';

/** A user who owns nothing else. */
const OTHER = 65_533;

const { describe, it } = needs('root');

describe('root', () => {
  let base = '';
  const at = (path: string): string => join(base, path);
  const own = (path: string): void => fs.lchownSync(at(path), OTHER, OTHER);
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-root-')));
    chmodSync(base, 0o755);
    for (const folder of ['theirs', 'theirs/sub', 'system']) mkdirSync(at(folder));
    writeFileSync(at('their-file'), 'theirs');
    writeFileSync(at('theirs/file'), 'theirs');
    for (const path of ['theirs', 'theirs/sub', 'theirs/file', 'their-file']) own(path);
    symlinkSync(at('system'), at('their-link'));
    own('their-link');
    symlinkSync(at('theirs'), at('my-link'));
  });
  afterEach(() => removeFolder(base));

  const writers: Readonly<Record<string, (path: string) => unknown>> = {
    tape: (path) => openToAppend(path).append(Buffer.from('x')),
    log: openLogFile,
    'new file': (path) => createNamed(`${path}.new`, 'x'),
    'replaced file': (path) => replaceNamed(path, 'x'),
    'private file': (path) => filesHere(join(path, '..')).files.replace(path, 'x'),
    'appended private file': (path) => filesHere(join(path, '..')).files.open(path).append('x'),
    'removed private file': (path) => filesHere(join(path, '..')).files.remove(path),
    lock: (path) => filesHere(join(path, '..')).files.lock(`${path}.lock`),
    folder: (path) => makeNamedFolder(`${path}.folder/deep`),
  };
  const places = ['theirs/file', 'theirs/sub/none', 'theirs/none/none', 'their-link/none', 'my-link/none'];
  const everything = (): unknown[] =>
    (readdirSync(base, { recursive: true }) as string[]).sort().map((path) => [path, fs.lstatSync(at(path)).uid]);

  it.each(Object.keys(writers).flatMap((what) => places.map((place) => [what, place] as const)))(
    'writes no %s to %s',
    (what, place) => {
      const before = everything();
      expect(() => writers[what]?.(at(place))).toThrow(/belongs to user 65533: run codex-rx as that user/);
      expect(everything()).toEqual(before);
      expect([readFileSync(at('theirs/file'), 'utf8'), existsSync(at('system/none'))]).toEqual(['theirs', false]);
    },
  );

  it.each(['tape', 'log', 'replaced file', 'private file', 'appended private file', 'removed private file'])(
    'writes no %s to a file of another user in a folder of its own',
    (what) => {
      expect(() => writers[what]?.(at('their-file'))).toThrow(/their-file belongs to user 65533/);
      expect(readFileSync(at('their-file'), 'utf8')).toBe('theirs');
    },
  );

  it('writes to places of its own, by links of its own, and reads what others have', () => {
    symlinkSync(at('system'), at('own-link'));
    for (const write of Object.values(writers)) write(at('own-link/file'));
    expect(filesHere(at('theirs')).files.read(at('theirs/file'))).toBe('theirs');
    expect(() => openToAppend('/dev/null').close()).not.toThrow();
  });
});

describe('a place of root', () => {
  const facts = (uid: number) => ({ uid, isSymbolicLink: () => false });
  const check = (owners: Record<string, number>, uid: number) => () =>
    checkPlaceOfRoot({ fs: { lstatSync: (path: string) => facts(owners[path] ?? 0) } as never, uid }, '/home/me/x');

  it('may belong to whoever owns the root folder, as in a user namespace', () => {
    expect(check({ '/': 65_534, '/home': 65_534 }, 0)).not.toThrow();
    expect(check({ '/': 65_534, '/home/me': 1_000 }, 0)).toThrow('/home/me belongs to user 1000');
  });

  it('is no matter of other users, whom the rights of files stop', () => {
    expect(check({ '/home/me': 1_001 }, 1_000)).not.toThrow();
  });
});
