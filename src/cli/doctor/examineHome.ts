/** Whether the home of this program can be written, and by nobody else. */
import { dirname, join } from 'node:path';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder } from '../../io/disk/namedHere';
import { permissionFault } from '../../io/files/fileError';
import { factsOrThrow, isThere, isWritableFolder, lookAt } from '../../io/paths/look';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { fileReasonOf } from '../../streams/text/reasons';
import type { Result } from './finding';

/** Taking a lock writes a file, and releasing it removes that again. Throws FileError where it cannot be taken. A missing home is not created. */
export const examineHome = ({ codexHome, platform }: Pick<ProcessInfo, 'codexHome' | 'platform'>): Result => {
  const home = lookAt(codexHome);
  if (home.kind === 'absent') return examineMissing(codexHome);
  if (home.kind === 'unknown') return closed(codexHome, home.error);
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
  if (isWritableFolder(folder)) return { text: `${codexHome} is not there yet` };
  const remedy = `make it for the user of the server, or have CODEX_HOME name another folder`;
  return { state: 'fault', text: `${codexHome} is not there, and cannot be made in ${folder}`, remedy };
};

const closed = (path: string, error: Error): Result => ({
  state: 'fault',
  text: `${path} cannot be looked at: ${fileReasonOf(error)}`,
  remedy: 'run the server as the user whose folder it is, or have CODEX_HOME name another folder',
});

const nearestFolder = (path: string): string => {
  const above = dirname(path);
  return isThere(above) || above === path ? above : nearestFolder(above);
};

/** Files with logins. */
const SECRET = ['auth.json', '.credentials.json'];

const OTHERS_WRITE = 0o002;

/** The config.toml of the home names programs. Its group may write: often its user is the only member. */
const isOthers = (folder: string): boolean => !isOwnFolder(folder) || (factsOrThrow(folder).mode & OTHERS_WRITE) !== 0;

const faultOf = (path: string, platform: string): string | undefined => {
  const found = lookAt(path);
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'there') return permissionFault(path, found.facts.mode, platform);
  return `${path} cannot be looked at: ${fileReasonOf(found.error)}`;
};
