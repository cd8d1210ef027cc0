/** A caller names a folder in what git, Codex or this program runs or obeys, as the folder of a thread or as a further root: nothing there is written. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

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
