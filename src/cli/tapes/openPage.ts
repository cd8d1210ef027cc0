/** Opens a page in the browser of the user. */
import { randomUUID } from 'node:crypto';
import { basename, delimiter, join, resolve } from 'node:path';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import { isProgram } from '../../io/paths/look';
import { spawnHere } from '../../io/processes/spawnHere';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import { remarkAs } from '../ending';
import { thisProcess } from '../thisProcess';

/** A page in a new private folder, which stays as long as temporary files stay. */
export const pageFile = (file: string): string => {
  const name = basename(file).replace(/\.[^.]*$|[^\w.-]/g, '') || 'tape';
  const folder = join(temporaryFolder(), `codex-rx-page-${randomUUID()}`);
  makeNamedFolder(folder);
  return join(folder, `${name}.html`);
};

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a file with the program that the system has for it; a remark says how to do it by hand if there is none. */
export const openFile = (path: string): void => {
  const program = OPENERS[process.platform] ?? 'xdg-open';
  if (!isStarted(program, resolve(path)))
    remarkAs('diagram')(`${program} is not here: open the file in a browser yourself`);
};

/** As nobody names the program, it is not taken from the project around. False if it is not there. */
const isStarted = (name: string, path: string): boolean => {
  const processInfo = thisProcess();
  const { env, cwd, platform } = processInfo;
  const folders = trustedFolders(trustDeps(processInfo), env.PATH, [cwd]);
  const program = findProgram({ isProgram, platform }, name, folders);
  if (program === undefined) return false;
  spawnHere(program, [path], { stdio: 'ignore', detached: true, env: { ...env, PATH: folders.join(delimiter) } })
    .on('error', () => {})
    .unref();
  return true;
};
