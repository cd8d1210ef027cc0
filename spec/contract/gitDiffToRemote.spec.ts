import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, of } from 'rxjs';
import { gitDiffToRemote } from '../../src/server/codex/gitDiffToRemote';
import { asked, hostWith } from '../protocol/methods/host';
import { openFolder, removeFolders } from '../support/files';
import { needs } from '../support/needs/needs';

const { describe, it } = needs('git', 'sandbox');

afterAll(removeFolders);

const WITH_MEMORY = ['--ro-bind', '/', '/', '--dev', '/dev'];
const WITHOUT_MEMORY = [...WITH_MEMORY, '--remount-ro', '/dev'];

describe('gitDiffToRemote with git', () => {
  it.each([
    ['of all in one process', WITH_MEMORY],
    ['of each in a process', WITHOUT_MEMORY],
  ])(
    'diffs to the newest commit of a remote, then each untracked file as git does by itself: %s',
    async (_, sandbox) => {
      const { top, base } = repository();
      const each = NAMES.map(
        (name) => run('git', ['diff', '--binary', '--no-index', '--', '/dev/null', name], join(top, 'sub')).stdout,
      );
      const tracked = run('git', ['diff', base], top).stdout;
      const started: unknown[] = [];
      const git = (folder: string, args: readonly string[]) => {
        started.push(folder);
        return of({ ...run('bwrap', [...sandbox, 'git', ...args], folder), isCut: false });
      };
      const out = await firstValueFrom(answer(git, join(top, 'sub')));
      expect(out).toEqual({ kind: 'result', result: { sha: base, diff: [tracked, ...each].join('') } });
      expect(tracked).toMatch(/^\+local\n\+changed$/m);
      expect(started).toHaveLength(1);
    },
  );

  it('compares the folder of a linked work tree with the same folder of the commit', async () => {
    const { top, git } = committed();
    mkdirSync(join(top, 'sub'));
    for (const name of ['above', 'sub/a']) writeFileSync(join(top, name), 'x\n');
    git('add', '.');
    git('commit', '-q', '-m', 'b');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const tree = join(openFolder(), 'tree');
    git('worktree', 'add', '-q', tree);
    writeFileSync(join(tree, 'sub/a'), 'y\n');
    const diff = run('git', ['diff'], tree).stdout;
    const out = await firstValueFrom(answer(inSandbox, join(tree, 'sub')));
    expect(out).toMatchObject({ result: { diff } });
    expect(diff).toMatch(/^\+y$/m);
  });

  it('answers with the head if a remote has it, in a work tree without changes', async () => {
    const { top, git } = committed();
    const head = git('rev-parse', 'HEAD').trim();
    git('update-ref', 'refs/remotes/origin/main', head);
    const out = await firstValueFrom(answer(inSandbox, top));
    expect(out).toEqual({ kind: 'result', result: { sha: head, diff: '' } });
  });

  it.each([
    ['no repository', () => openFolder(), /not a git repository/],
    ['no commit', () => emptyRepository().top, /has no commit yet; commit and push first$/],
    ['no remote', () => committed().top, /no remote has a commit of this branch; fetch or push it first$/],
  ])('fails with the reason: %s', async (_, make, reason) => {
    await expect(firstValueFrom(answer(inSandbox, make()))).rejects.toThrow(reason);
  });
});

/** Sorted as git lists them; files of another repository are not among them. */
const NAMES = ['-dash', 'a b', 'bytes', 'empty', 'in/q\'uo"te $(x)', 'link', 'new\nline', 'one\x01', 'ü'];

type GitOfHost = Parameters<typeof gitDiffToRemote>[0]['git'];

const answer = (git: GitOfHost, cwd: string) => gitDiffToRemote(hostWith({ git }))(asked('gitDiffToRemote', { cwd }));

const inSandbox: GitOfHost = (folder, args) =>
  of({ ...run('bwrap', [...WITH_MEMORY, 'git', ...args], folder), isCut: false });

const run = (program: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { exitCode: status ?? -1, stdout, stderr };
};

const emptyRepository = () => {
  const top = openFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: top, encoding: 'utf8' });
  git('init', '-q');
  return { top, git };
};

const committed = () => {
  const { top, git } = emptyRepository();
  git('commit', '-q', '--allow-empty', '-m', 'a');
  return { top, git };
};

/** The branch has two commits that no remote has, a changed file, and untracked files of each kind in a folder. */
const repository = () => {
  const { top, git } = committed();
  const base = git('rev-parse', 'HEAD').trim();
  git('update-ref', 'refs/remotes/origin/main', base);
  writeFileSync(join(top, 'tracked'), 'local\n');
  git('add', 'tracked');
  git('commit', '-q', '-m', 'b');
  git('commit', '-q', '--allow-empty', '-m', 'c');
  writeFileSync(join(top, 'tracked'), 'local\nchanged\n');
  const folder = join(top, 'sub');
  mkdirSync(join(folder, 'in'), { recursive: true });
  for (const name of NAMES) writeFileSync(join(folder, name === 'link' ? 'other.log' : name), TEXTS[name] ?? 'x\n');
  chmodSync(join(folder, '-dash'), 0o755);
  symlinkSync('nowhere', join(folder, 'link'));
  writeFileSync(join(top, '.git/info/exclude'), '*.log\n');
  git('init', '-q', 'sub/nested');
  writeFileSync(join(folder, 'nested/theirs'), 'x');
  return { top, base };
};

const TEXTS: Readonly<Record<string, string>> = { '-dash': 'no line break', bytes: '\0\x01', empty: '' };
