/** Repositories that show git other submodules than a simple reader finds. Git itself confirms that it sees them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namesPrograms } from '../../../src/agent/safety/namesPrograms';
import { trustedEnvironment } from '../../../src/agent/tools/trustedEnvironment';
import { needs } from '../../support/needs/needs';
import { repositoryFiles } from '../../support/repositoryFiles';

const { describe } = needs('git');

const EVIL = '[filter "x"]\n\tclean = evil\n';
const LINK = 0o160000;
const FILE = 0o100644;

type Entry = { mode?: number; name: string | Buffer; length?: number };

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** An entry of an index of version 2 with SHA-1, as long as `length` says. */
const entry = ({ mode = FILE, name, length = name.length }: Entry): Buffer => {
  const head = Buffer.alloc(62, 0);
  head.writeUInt32BE(mode, 24);
  head.fill(7, 40, 60);
  head.writeUInt16BE(length, 60);
  const bytes = Buffer.concat([head, Buffer.from(name)]);
  return Buffer.concat([bytes, Buffer.alloc(8 - (bytes.length % 8))]);
};

const indexOf = (entries: readonly Buffer[], ...more: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('DIRC'), number(2), number(entries.length), ...entries, ...more, Buffer.alloc(20)]);

/** A file whose long name holds a NUL, and after it what looks like the rest of the index. */
const hidingName = (): Buffer => {
  const inside = Buffer.concat([entry({ name: 'a' }).subarray(62), entry({ name: 'b' }), entry({ name: 'c' })]);
  return entry({ name: inside });
};

/** An entry that, read with SHA-256, is an entry of another length and then a second one. */
const withFileOfSha256 = (): Buffer => {
  const second = Buffer.alloc(80);
  second.writeUInt32BE(FILE, 24);
  second.write('\0\x01c', 72, 'latin1');
  return entry({ name: Buffer.concat([Buffer.from('aaaaaaaaaa\0\x01b\0\0\0\0\0', 'latin1'), second]) });
};

describe('namesPrograms, in a hostile repository,', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
    git('init', '-q', '-b', 'main');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const git = (...args: string[]): string => {
    const plain = trustedEnvironment({ PATH: process.env.PATH ?? '', HOME: folder }, (path) => path);
    const env = { ...plain, GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'latin1' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const write = (path: string, content: string | Buffer, flag = 'w'): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { flag });
  };
  const found = (from = '.'): boolean => namesPrograms(repositoryFiles)(join(folder, from));
  const seenByGit = (): boolean => git('ls-files', '-s').includes('160000');

  it('passes over gitlinks to plain submodules, with work trees of their own', () => {
    write('.git/index', indexOf([entry({ name: '.gitmodules' }), entry({ mode: LINK, name: 'sub' })]));
    write('sub/.git', 'gitdir: ../.git/modules/sub\n');
    write('.git/modules/sub/config', '[core]\n\tworktree = ../../../sub\n');
    expect(seenByGit()).toBe(true);
    expect(found()).toBe(false);
    expect(found('sub')).toBe(false);
  });

  it.each<[string, () => Buffer]>([
    ['with further bits in its mode', () => indexOf([entry({ mode: LINK | 1, name: 'sub' })])],
    ['after a name with a NUL', () => indexOf([hidingName(), entry({ mode: LINK, name: 'sub' })])],
    ['whose name goes beyond the end of the file', () => indexOf([entry({ mode: LINK, name: 'sub' })]).subarray(0, 77)],
  ])('finds a gitlink %s', (_, index) => {
    write('.git/index', index());
    write('sub/.git/config', EVIL);
    expect(found()).toBe(true);
  });

  it('finds a gitlink after a name with a NUL, as git does', () => {
    write('.git/index', indexOf([hidingName(), entry({ mode: LINK, name: 'sub' })]));
    expect(seenByGit()).toBe(true);
  });

  it.each(['# objectFormat = sha256', '[x]\n\tobjectFormat = sha256'])(
    'reads an index of SHA-1 in spite of the line %j',
    (line) => {
      write('.git/config', `${line}\n`, 'a');
      write('.git/index', indexOf([withFileOfSha256(), entry({ mode: LINK, name: 'sub' })]));
      write('sub/.git/config', EVIL);
      expect(seenByGit()).toBe(true);
      expect(found()).toBe(true);
    },
  );

  it('does not know what a sparse index leaves out', () => {
    write('.git/index', indexOf([entry({ mode: 0o040000, name: 'd/' })], Buffer.from('sdir'), number(0)));
    expect(found()).toBe(true);
  });

  it('keeps git from entries at places that an extension names', () => {
    const shown = [entry({ name: 'a' }), entry({ name: 'sub' })];
    const hidden = [entry({ name: 'a' }), entry({ mode: LINK, name: 'sub' })];
    const at = 12 + Buffer.concat(shown).length;
    const junk = Buffer.concat([Buffer.from('JUNK'), number(Buffer.concat(hidden).length)]);
    const table = Buffer.concat([1, at + 8, 1, at + 8 + 64, 1].map(number));
    const ieot = Buffer.concat([Buffer.from('IEOT'), number(table.length)]);
    const sum = createHash('sha1').update(junk).update(ieot).digest();
    const eoie = Buffer.concat([Buffer.from('EOIE'), number(24), number(at), sum]);
    write('.git/index', indexOf(shown, junk, ...hidden, ieot, table, eoie));
    git('config', 'index.threads', '4');
    expect(seenByGit()).toBe(false);
  });

  it.each(['../elsewhere', '"../elsewhere"', '.. ; x', '../../elsewhere\t\r', `..${'\\'}\n/elsewhere`])(
    'does not follow a work tree that begins elsewhere: %j',
    (value) => {
      write('.git/config', `[core]\n\tworktree = ${value}\n`, 'a');
      expect(found()).toBe(true);
    },
  );

  it('does not follow the work tree of a folder that is a git directory itself', () => {
    write('.git/modules/x/config', '[core]\n\tworktree = ../../..\n');
    expect(found('.git/modules/x')).toBe(true);
  });

  it('finds what a shared folder names beside the target of a link', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    write('far/git/commondir', '../common\n');
    write('far/common/config', EVIL);
    symlinkSync('far/git', join(folder, '.git'));
    expect(found()).toBe(true);
  });

  it.each<[string, string | Buffer]>([
    ['climbs back from a name, which may be a link', 'gitdir: a/../store\n'],
    ['is not UTF-8', Buffer.from('gitdir: st\xffre\n', 'latin1')],
    ['has a NUL', 'gitdir: store\0x\n'],
  ])('does not follow a gitfile that %s', (_, text) => {
    rmSync(join(folder, '.git'), { recursive: true });
    write('.git', text);
    expect(found()).toBe(true);
  });

  it('does not follow a gitlink whose name is not UTF-8', () => {
    write('.git/index', indexOf([entry({ mode: LINK, name: Buffer.from('s\xff', 'latin1') })]));
    expect(seenByGit()).toBe(true);
    expect(found()).toBe(true);
  });
});
