import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, of } from 'rxjs';
import type { ProcessEnd } from '../../src/protocol/methods/host';
import { gitDiffToRemote } from '../../src/server/codex/codexMethods';
import { asked, hostWith } from '../protocol/methods/host';
import { openFolder, removeFolders } from '../support/files';
import { needs } from '../support/needs/needs';

const { describe, it } = needs('git');

afterAll(removeFolders);

const runGit = (cwd: string, args: readonly string[]): ProcessEnd => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return { exitCode: status ?? -1, stdout, stderr, isCut: false };
};

/** A folder of a repository whose commit a remote has, with untracked files of each kind. */
const repository = (): string => {
  const top = openFolder();
  const folder = join(top, 'sub');
  mkdirSync(join(folder, 'in'), { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: top, stdio: 'pipe' });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'a');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const texts = {
    'a b': 'a\n',
    '-dash': 'x',
    'in/q\'uo"te $(x)': 'q\n',
    'new\nline': 'n\n',
    empty: '',
    bytes: '\0\x01',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, '-dash'), 0o755);
  symlinkSync('nowhere', join(folder, 'link'));
  return folder;
};

describe('gitDiffToRemote with git', () => {
  it('diffs all untracked files in one process as git does each by itself', async () => {
    const cwd = repository();
    const listed = runGit(cwd, ['ls-files', '--others', '--exclude-standard', '-z']).stdout.split('\0').filter(Boolean);
    const each = listed.map(
      (name) => runGit(cwd, ['diff', '--no-color', '--binary', '--no-index', '--', '/dev/null', name]).stdout,
    );
    const started: (readonly string[])[] = [];
    const git = (folder: string, args: readonly string[]) => {
      started.push(args);
      return of(runGit(folder, args));
    };
    const out = await firstValueFrom(gitDiffToRemote(hostWith({ git }))(asked('gitDiffToRemote', { cwd })));
    expect(listed).toHaveLength(7);
    expect(out).toMatchObject({ kind: 'result', result: { diff: each.join('') } });
    expect(started).toHaveLength(5);
  });
});
