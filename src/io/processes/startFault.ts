/** Why a program cannot be started: it is nowhere, this user may not run it, or the machine has run out of something. */
import type { ProcessSpec } from '../../protocol/exec/process';
import { systemRemedy } from '../../streams/text/reasons';
import { cannotEnter, isFolder, isThere } from '../paths/look';

/** Where a program is looked for if its environment has no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/bin:/usr/bin';

type Search = {
  program: string;
  /** PATH of the environment the program is started in. */
  path?: string;
  /** The folder it is started in, for relative places. */
  cwd: string;
};

/** The files that a program's name may mean, in the order in which the system tries them. */
const candidatesOf = ({ program, path = DEFAULT_PATH, cwd }: Search): string[] =>
  (program.includes('/') ? [program] : path.split(':').map((folder) => `${folder || '.'}/${program}`)).map((place) =>
    place.startsWith('/') ? place : `${cwd}/${place}`,
  );

/** The error of a start. EACCES for a program that no folder has, as one of PATH is closed, becomes ENOENT, as in a shell. */
export const startFault = (error: NodeJS.ErrnoException, search: Search): NodeJS.ErrnoException => {
  const isNowhere = error.code === 'EACCES' && !search.program.includes('/') && !candidatesOf(search).some(isThere);
  return isNowhere ? Object.assign(new Error(error.message), { code: 'ENOENT', path: search.program }) : error;
};

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

/** The text for a program that could not be started. */
const TEXTS: Record<string, string> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
};

/** The codes of errors of a machine that has run out of something. */
const SCARCE = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The operating system's text for a program that cannot be started. `spawn` reports a missing folder as a missing program. */
export const failureReason = ({ code = '', path, message }: NodeJS.ErrnoException, cwd: string): string => {
  const text = TEXTS[code];
  const remedy = SCARCE.has(code) ? systemRemedy(code) : undefined;
  if (text === undefined) return remedy === undefined ? message : `${message}: ${remedy}`;
  const folderText = folderFailure(cwd);
  return folderText === undefined ? `${path ?? 'program'}: ${text}` : `working directory ${cwd}: ${folderText}`;
};

const folderFailure = (path: string): string | undefined => {
  const error = cannotEnter(`${path}/.`);
  return error && (TEXTS[error.code ?? ''] ?? error.message);
};
