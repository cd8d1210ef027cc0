/** Whether the home of this program can be written. */
import { filesHere } from '../files';
import type { ProcessInfo } from '../processInfo';
import type { Result } from './finding';

/** A lock is a file that is written and removed again. Throws FileError where it cannot be made. */
export const examineHome = ({ codexHome }: Pick<ProcessInfo, 'codexHome'>): Result => {
  const lock = filesHere(codexHome, process.pid).files.lock(`${codexHome}/codex-rx/locks/doctor.lock`);
  if (lock.kind === 'locked') lock.release();
  return { text: `${codexHome} can be written` };
};
