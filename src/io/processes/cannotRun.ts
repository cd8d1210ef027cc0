/** Finds out beforehand that a program cannot be started, where what starts it would not report that. */

import type { ProcessSpec } from '../../protocol/exec/process';
import { cannotEnter, isFolder } from '../paths/look';
import { failureReason } from './failureReason';
import { candidatesOf, startFault } from './startFault';

/** Why the program of a spec cannot be started, with the text of `fromChild`; undefined when it can. */
export const cannotRun = ({ argv, cwd, env }: ProcessSpec): string | undefined => {
  const [program] = argv;
  if (!program) return 'command args are empty';
  if ([...argv, cwd].some((text) => text.includes('\0'))) return 'the command must be without null bytes';
  const search = { program, path: env.PATH, cwd };
  const errors = candidatesOf(search).map(programError);
  const found = errors.includes(undefined)
    ? undefined
    : (errors.find((error) => error?.code !== 'ENOENT') ?? errors[0]);
  const error = cannotEnter(`${cwd}/.`) ?? (found && startFault(found, search));
  return error && failureReason(Object.assign(error, { path: program }), cwd);
};

/** A folder passes that check too, as it may be entered, but it cannot be run. */
const programError = (path: string): NodeJS.ErrnoException | undefined =>
  cannotEnter(path) ?? (isFolder(path) ? Object.assign(new Error('is a folder'), { code: 'EACCES' }) : undefined);
