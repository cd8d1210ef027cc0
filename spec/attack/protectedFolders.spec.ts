/** A caller names a folder in what git, Codex or this program runs or obeys, as the folder of a thread or as a further root: nothing there is written. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox', 'git');

let base = '';
const at = (name: string): string => join(base, name);

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  for (const folder of FOLDERS) mkdirSync(at(folder), { recursive: true });
  for (const repository of ['repo/.git', 'repo/.git/modules/lib', 'store', 'bare']) {
    writeFileSync(at(`${repository}/HEAD`), 'ref: refs/heads/main\n');
    for (const name of ['objects', 'refs', 'hooks']) mkdirSync(at(`${repository}/${name}`), { recursive: true });
  }
  writeFileSync(at('work/.git'), `gitdir: ${at('store')}\n`);
  writeFileSync(at('bare/tree/.git'), `gitdir: ${at('bare')}/worktrees/tree\n`);
  writeFileSync(at('bare/worktrees/tree/commondir'), '../..\n');
  symlinkSync(at('repo/.git/hooks'), at('innocent'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** The path without links, as a call is checked. */
const realAt = (name: string): string => realpathSync(at(name));

/** Repositories of every layout, and a Codex home. */
const FOLDERS = [
  ...['repo/.git/modules/lib', 'repo/.codex/rules', 'repo/vendor/.GIT/hooks', 'repo/git~1/hooks', 'repo/sub'],
  ...['work', 'store', 'bare/tree/sub', 'bare/worktrees/tree', 'home/prompts', 'home/dist/bin'],
  'home/worktrees/one',
];

/** Each is one of these, or below one. */
const CLOSED = [
  ...['repo/.git', 'repo/.git/hooks', 'repo/.git/modules/lib/hooks', 'repo/vendor/.GIT/hooks', 'repo/git~1/hooks'],
  ...['repo/.codex', 'repo/.codex/rules', 'innocent', 'store', 'store/hooks', 'bare', 'bare/hooks'],
  ...['bare/worktrees/tree', 'home', 'home/prompts', 'home/dist/bin'],
];

const opened = (cwd: string, writableRoots: string[] = []) =>
  openSandbox({ own: { cwd: realAt(cwd), writableRoots: writableRoots.map(realAt) }, codexHome: at('home') });

/** The folders in which a command of the session has made a file. */
const writtenBy = async (session: ReturnType<typeof opened>, folders: string[]): Promise<string[]> => {
  const script = folders.map((folder) => `echo x > ${at(folder)}/planted`).join('; ');
  await runIn(session.asSet, ['/bin/sh', '-c', script], { cwd: base });
  return folders.filter((folder) => existsSync(at(`${folder}/planted`)));
};

describe('a folder in what is never written', () => {
  it.each(CLOSED)('is not the folder of a thread that may write: %s', (folder) => {
    expect(() => opened(folder)).toThrow(/ no command may write: .+; name the folder of a project/);
  });

  it('is no further root, neither for commands nor for patches', async () => {
    const session = opened('repo/sub', CLOSED);
    expect(await writtenBy(session, [...CLOSED, 'repo/sub'])).toEqual(['repo/sub']);
    expect(CLOSED.filter((folder) => session.mayWrite(`${realAt(folder)}/planted`))).toEqual([]);
  });

  it('is not any folder of a work tree, neither for commands nor for patches', async () => {
    const trees = ['repo/sub', 'work', 'bare/tree', 'bare/tree/sub', 'home/worktrees/one'];
    expect(await writtenBy(opened('repo/sub', trees), trees)).toEqual(trees);
    const isPatched = (folder: string): boolean => opened(folder).mayWrite(`${realAt(folder)}/new`);
    expect(trees.filter(isPatched)).toEqual(trees);
    const { mayWrite } = opened('bare/tree');
    expect(['bare/config', 'bare/hooks/x', 'bare/tree/.git'].filter((path) => mayWrite(at(path)))).toEqual([]);
  });
});

const env = { PATH: process.env.PATH ?? '', HOME: '/none', GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', at('mine'), ...args], { env, encoding: 'utf8', stdio: 'pipe' });

describe('a .git that the operator names', () => {
  const inMine = (script: string, own: { ownRoots?: string[] } = {}) => {
    const roots = [at('mine/.git')];
    const { asSet } = openSandbox({
      own: { cwd: at('mine'), ownRoots: roots, writableRoots: roots, ...own },
      codexHome: at('home'),
    });
    return runIn(asSet, ['/bin/sh', '-c', script], { cwd: at('mine'), env });
  };

  beforeEach(() => {
    mkdirSync(at('mine'));
    git('init', '-q', '-b', 'main');
  });

  it('takes commits and branches, and is left as it was otherwise', async () => {
    const commit = 'git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m one';
    expect(await inMine(`${commit} && git checkout -q -b two`)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(git('log', '--format=%s', 'two')).toBe('one\n');
    expect(git('ls-files', '--others')).toBe('');
    expect(
      ['commondir', '.git/commondir', '.git/codex-rx-sandbox'].filter((name) => existsSync(at(`mine/${name}`))),
    ).toEqual([]);
  });

  it('takes nothing from a command that a later git runs or obeys, whatever was made of it before', async () => {
    const before = readFileSync(at('mine/.git/config'), 'utf8');
    const names = ['config', 'hooks/post-commit', 'commondir', 'config.worktree'];
    const plant = names.map((name) => `echo planted > .git/${name}`).join('; ');
    for (const script of [plant, `rm .git/HEAD; ${plant}`, `rm -r .git/objects .git/refs; ${plant}`, plant])
      await inMine(script);
    expect(readFileSync(at('mine/.git/config'), 'utf8')).toBe(before);
    expect(names.slice(1).filter((name) => existsSync(at(`mine/.git/${name}`)))).toEqual([]);
  });

  it('cannot be put out of use to make git obey the folder around', async () => {
    const config = `[core]\n bare = false\n worktree = sub\n fsmonitor = "touch ${at('ran')}; false"\n`;
    writeFileSync(at('planted'), config);
    await inMine(
      `rm .git/HEAD; mkdir objects refs sub; echo 'ref: refs/heads/main' > HEAD; cp ${at('planted')} config`,
    );
    expect(() => git('status')).toThrow(/commondir/);
    expect(existsSync(at('ran'))).toBe(false);
  });

  it('is closed if only a call names it', async () => {
    const { stderr } = await inMine('echo x > .git/x', { ownRoots: [] });
    expect(stderr).toMatch(/Read-only file system/);
  });
});

describe('a submodule', () => {
  const COMMIT = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'one'];

  it.each(['2', '4'])(
    'gets no settings that a git in the repository around obeys (index of version %s)',
    async (version) => {
      for (const folder of ['mine/absent', 'mine/deep/lib', 'mine/.git/modules'])
        mkdirSync(at(folder), { recursive: true });
      git('init', '-q', '-b', 'main');
      git('init', '-q', '--separate-git-dir', at('mine/.git/modules/lib'), 'deep/lib');
      git('-C', 'deep/lib', ...COMMIT);
      const id = git('-C', 'deep/lib', 'rev-parse', 'HEAD').trim();
      for (const path of ['absent', 'deep/lib', 'gone'])
        git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`);
      git('update-index', '--index-version', version);

      const { asSet } = openSandbox({ own: { cwd: at('mine') }, codexHome: at('home') });
      const settings = `git config core.fsmonitor 'touch ${at('ran')}; false'`;
      const plant = (path: string): string =>
        `(mkdir -p ${path}; cd ${path} && rm -f .git; mkdir .git && git init -q . && git ${COMMIT.join(' ')} && ${settings})`;
      const script = `${['absent', 'deep/lib', 'gone'].map(plant).join('; ')}; mv deep other; echo text > deep/lib/file && git status`;
      expect(await runIn(asSet, ['/bin/sh', '-c', script], { cwd: at('mine'), env })).toMatchObject({ exitCode: 0 });
      expect(readFileSync(at('mine/deep/lib/file'), 'utf8')).toBe('text\n');
      git('status');
      expect(existsSync(at('ran'))).toBe(false);
      expect(existsSync(at('mine/gone'))).toBe(false);
    },
  );

  it('gets none if its name is not UTF-8, or a link stands in its place: there no command runs in the sandbox', async () => {
    execFileSync('git', ['init', '-q', at('odd')], { env });
    const name = (path: string, bytes: string) =>
      execFileSync('git', ['update-index', '-z', '--index-info'], {
        cwd: at('odd'),
        env,
        input: Buffer.from(`160000 ${'1'.repeat(40)}\t${path}${bytes}\0`, 'latin1'),
      });
    name('linked', '');
    symlinkSync(at('mine'), at('odd/linked'));
    const { asSet } = openSandbox({ own: { cwd: at('odd') }, codexHome: at('home') });
    const inOdd = () => runIn(asSet, ['ls'], { cwd: at('odd'), env });
    expect(await inOdd()).toMatchObject({ failed: expect.stringMatching(/linked is a link/), exitCode: undefined });
    unlinkSync(at('odd/linked'));
    name('mod', '\xe9');
    expect(await inOdd()).toMatchObject({ failed: expect.stringMatching(/not UTF-8/), exitCode: undefined });
  });

  it('gets none either if it is one of a thousand, whose folder stays read-only, and commands still run', async () => {
    for (const folder of ['many/sub', 'many/.git/modules']) mkdirSync(at(folder), { recursive: true });
    execFileSync('git', ['init', '-q', at('many')], { env });
    const names = Array.from({ length: 1_100 }, (_, n) => `sub/s${n}`);
    for (const name of names) {
      mkdirSync(at(`many/${name}`));
      mkdirSync(at(`many/.git/modules/${name.slice(4)}`));
      writeFileSync(at(`many/${name}/.git`), `gitdir: ../../.git/modules/${name.slice(4)}\n`);
    }
    const input = names.map((name) => `160000 ${'1'.repeat(40)}\t${name}\n`).join('');
    execFileSync('git', ['update-index', '--index-info'], { cwd: at('many'), env, input });

    const { asSet } = openSandbox({ own: { cwd: at('many') }, codexHome: at('home') });
    const script = 'echo text > file; rm sub/s7/.git; mv sub/s8 other; mv sub other; echo x > sub/s9/.git; cat file';
    const { stdout, stderr } = await runIn(asSet, ['/bin/sh', '-c', script], { cwd: at('many'), env });
    expect(stdout).toBe('text\n');
    expect(stderr.match(/Read-only file system|Device or resource busy/g)).toHaveLength(4);
    const { asSet: inside } = openSandbox({ own: { cwd: at('many/sub/s5') }, codexHome: at('home') });
    const own = await runIn(inside, ['/bin/sh', '-c', 'echo mine > file; cat file; echo x > .git'], {
      cwd: at('many/sub/s5'),
      env,
    });
    expect(own).toMatchObject({ stdout: 'mine\n', stderr: expect.stringContaining('Read-only file system') });
  });
});
