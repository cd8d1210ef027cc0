/** Reasons of failures, and what to do about them, for people. */

/** The message of an error; anything else that was thrown, converted to text. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Words that begin a sentence, and no name. */
const FIRST_WORD =
  /^(?:Another|Both|Each|Every|Failed|Give|It|Line|Log|Login|Name|No|Nobody|Not|Nothing|Only|Other|Set|That|The|There|These|They|This|Those|Threads|Token|Two)(?= )/;

/**
 * A text as it follows the name of a program and a colon: it begins with a small letter, unless that is the one of a name, and one sentence has no full
 * stop. Source: GNU Coding Standards 4.4.
 */
export const afterColon = (text: string): string => {
  const started = text.replace(FIRST_WORD, (word) => word.toLowerCase());
  return /\S[.!?]\s+\S/.test(text) ? started : started.replace(/(?<=[^.])\.$/, '');
};

/** `1 call`, `2 calls`; for nouns with a regular plural. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `a, b or c`. */
export const listed = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');

/** The system's reason without its call and the path: `ENOENT: no such file or directory`. Any other reason unchanged. */
export const fileReasonOf = (error: unknown): string =>
  isSystemError(error) ? (error.message.split(`, ${error.syscall}`, 1)[0] as string) : reasonOf(error);

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error;

/** The cause and the remedy of a system error code, such as ENOSPC; undefined if the code does not concern this machine. */
export const systemRemedy = (code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the quota of this user is used up: free some space',
  EROFS: 'the file system is read-only: set CODEX_HOME to a folder that can be written',
  EACCES: 'this user may not: check the owner and the mode, or set CODEX_HOME to a folder of your own',
  EPERM: 'this user may not: check the owner and the mode, or set CODEX_HOME to a folder of your own',
  ELOOP: 'it is a link, and links are not followed: put the file itself there',
  EMFILE: 'this process has too many open files: raise the limit (ulimit -n)',
  ENFILE: 'this machine has too many open files: end some programs, or raise its limit (sysctl fs.file-max)',
  EAGAIN: 'this user has too many processes: end some, or raise the limit (ulimit -u)',
  ERR_PROGRAM_REPLACED: 'start it again: restart this server in its client',
  ENOMEM: 'this machine has too little memory: end some programs',
};
