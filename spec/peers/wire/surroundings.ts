/** The folders in which a scenario is played: a workspace, a home and one outside of both, new for each run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeFolder } from '../../support/files';
import { fill, type Scenario } from './scenario';

/** Not below the temporary folder, which a command in the sandbox may write. */
const PARENT = '/var/tmp';

export type Folders = { WS: string; HOME: string; OUTSIDE: string; TMP: string };

export type Surroundings = { folders: Folders; remove: () => Promise<void> };

const write = (folder: string, files: Scenario['files'] = {}): void => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
};

const DATE = '2025-01-01T00:00:00Z';

const AUTHOR = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com', GIT_AUTHOR_DATE: DATE };
const COMMITTER = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com', GIT_COMMITTER_DATE: DATE };

/** Makes the workspace a repository of one commit, which is pushed if there is a remote. */
const commit = (folder: string, outside: string, git: Scenario['git']): void => {
  if (git === undefined) return;
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...AUTHOR, ...COMMITTER };
  const run = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
  run('init', '-q', '-b', 'main');
  run('add', '-A');
  run('commit', '-q', '--allow-empty', '-m', 'initial');
  if (git === true) return;
  const remote = join(outside, 'remote.git');
  run('init', '-q', '--bare', '-b', 'main', remote);
  run('remote', 'add', 'origin', remote);
  run('push', '-q', '-u', 'origin', 'main');
};

export const makeSurroundings = (): Surroundings => {
  const root = mkdtempSync(join(PARENT, 'codex-rx-scenario-'));
  const folders = {
    WS: join(root, 'ws'),
    HOME: join(root, 'home'),
    OUTSIDE: join(root, 'outside'),
    TMP: join(root, 'tmp'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  return { folders, remove: () => removeFolder(root) };
};

/** Writes the files of a scenario, whose model listens at a port; the environment of the program. */
export const furnish = (
  { WS, HOME, OUTSIDE, TMP }: Folders,
  scenario: Scenario,
  port: number,
): Record<string, string> => {
  const { config, files, homeFiles, outsideFiles, env } = fill(scenario, { WS, HOME, OUTSIDE, PORT: port });
  write(HOME, config === null ? {} : { 'config.toml': config });
  write(HOME, homeFiles);
  write(OUTSIDE, outsideFiles);
  write(WS, files);
  commit(WS, OUTSIDE, scenario.git);
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return { PATH, LANG: 'C.UTF-8', HOME, CODEX_HOME: HOME, TMPDIR: TMP, ...env };
};
