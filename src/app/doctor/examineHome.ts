/** Whether the home of this program can be written, and by nobody else. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { permissionFault } from '../../files';
import { filesHere, isOwnFolder } from '../files';
import type { ProcessInfo } from '../processInfo';
import type { Result } from './finding';

/** Taking a lock writes a file, and releasing it removes that again. Throws FileError where it cannot be taken. A missing home is not created. */
export const examineHome = ({ codexHome, platform }: Pick<ProcessInfo, 'codexHome' | 'platform'>): Result => {
  if (!existsSync(codexHome)) return examineMissing(codexHome);
  const lock = filesHere(codexHome).files.lock(`${codexHome}/codex-rx/locks/doctor.lock`);
  if (lock.kind === 'locked') lock.release();
  if (platform !== 'win32' && isOthers(codexHome)) {
    const remedy = `chown it to the user of the server, and close it: chmod 700 ${codexHome}`;
    return { state: 'warning', text: `${codexHome} can be written by others, who can have any command run`, remedy };
  }
  const fault = SECRET.map((name) => faultOf(join(codexHome, name), platform)).find((one) => one !== undefined);
  return fault === undefined ? { text: `${codexHome} can be written` } : { state: 'warning', text: fault };
};

/** The first turn creates a missing home, unless CODEX_HOME names it: the check of the configuration reports that. */
const examineMissing = (codexHome: string): Result => {
  const folder = nearestFolder(codexHome);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return { text: `${codexHome} is not there yet` };
  } catch {
    const remedy = `make it for the user of the server, or have CODEX_HOME name another folder`;
    return { state: 'fault', text: `${codexHome} is not there, and cannot be made in ${folder}`, remedy };
  }
};

const nearestFolder = (path: string): string => {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestFolder(above);
};

/** Files with logins. */
const SECRET = ['auth.json', '.credentials.json'];

const OTHERS_WRITE = 0o002;

/** The config.toml of the home names programs. Its group may write: often its user is the only member. */
const isOthers = (folder: string): boolean => !isOwnFolder(folder) || (statSync(folder).mode & OTHERS_WRITE) !== 0;

const faultOf = (path: string, platform: string): string | undefined => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : permissionFault(path, mode, platform);
};
