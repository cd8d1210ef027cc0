/** Marks of files: an approval for the session is for files as they are now. */
import { createHash } from 'node:crypto';
import { of } from 'rxjs';
import { readPlain } from '../../executor/sandbox/readPlain';
import { exactFactsAt, realPathOf } from '../../io/paths/look';
import type { SeamPorts } from '../../tapes/seams/ports';
import type { MarksOf } from '../safety/namedFiles';

/** Recorded, as files may change; a tape has null for a file that is not there. */
export const marksHere =
  (chance: SeamPorts['chance']): MarksOf =>
  (paths) =>
    of(chance('files', () => paths.map(markHere))().map((mark) => mark ?? undefined));

/** The mark of a file; `real` is its path without links. */
export const toMark = (real: string, bytes: Uint8Array): string =>
  `${real} ${createHash('sha256').update(bytes).digest('base64')}`;

/** Longer files are not read for a mark. */
export const MAX_READ_BYTES = 1_048_576;

/** The mark of a file of this machine. Of a file that is long, or cannot be read, whatever a change of it changes: nobody can set `ctime`. */
export const markHere = (path: string): string | undefined => {
  const real = realPathOf(path);
  const facts = real === undefined ? undefined : exactFactsAt(real);
  if (real === undefined || !facts?.isFile()) return undefined;
  const bytes = facts.size > MAX_READ_BYTES ? undefined : readPlain(real);
  return bytes === undefined ? `${real} ${facts.dev} ${facts.ino} ${facts.size} ${facts.ctimeNs}` : toMark(real, bytes);
};
