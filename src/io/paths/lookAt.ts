/** Looks at paths for decisions about safety, where "it cannot be looked at" must not mean "it is not there". */
import { lstatSync, type Stats, statSync } from 'node:fs';

/** What a path leads to: something, certainly nothing, or something unknown, because the system refuses the look. */
export type Look =
  | { kind: 'there'; facts: Stats }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: NodeJS.ErrnoException };

/** Nothing can be below a file, and nothing can have a name that is too long. */
const ABSENT: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

const look = (read: () => Stats): Look => {
  try {
    return { kind: 'there', facts: read() };
  } catch (error) {
    return isAbsent(error) ? { kind: 'absent' } : { kind: 'unknown', error: error as NodeJS.ErrnoException };
  }
};

/** True for an error of the system which means that nothing is at the path. */
export const isAbsent = (error: unknown): boolean => ABSENT.includes((error as NodeJS.ErrnoException).code);

/** What is behind a path; links are followed. */
export const lookAt = (path: string): Look => look(() => statSync(path));

/** What has this name itself, be it a link. */
export const lookAtLink = (path: string): Look => look(() => lstatSync(path));

/** What is behind a path. Throws the error of the system if it is not there or cannot be looked at: a check that cannot be made has failed. */
export const factsOrThrow = (path: string): Stats => statSync(path);

/** The same of what has this name itself, be it a link. */
export const linkFactsOrThrow = (path: string): Stats => lstatSync(path);
