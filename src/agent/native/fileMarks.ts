/** Marks of files: an approval for the session is for files as they are now. */
import { dirname, join } from 'node:path';
import { of } from 'rxjs';
import { readPlain } from '../../executor/sandbox/readPlain';
import { sandboxFiles } from '../../executor/sandbox/sandboxFilesHere';
import { exactFactsAt, realPathOf } from '../../io/paths/look';
import type { SeamPorts } from '../../tapes/seams/ports';
import { isShortFor, MAX_READ_BYTES, type MarksOf, toMark } from '../safety/namedFiles';

/** Recorded, as files may change; a tape has null for a file that is not there. */
export const marksHere =
  (chance: SeamPorts['chance']): MarksOf =>
  (paths) =>
    of(chance('files', () => marksAt(paths))().map((mark) => mark ?? undefined));

/** The marks of files of this machine, each with those of the files that it may be short for. */
export const marksAt = (paths: readonly string[]): (string | undefined)[] => {
  const lists = new Map([...new Set(paths.map(dirname))].map((folder) => [folder, sandboxFiles.list(folder)]));
  return paths.map((path) => {
    const folder = dirname(path);
    const longer = (lists.get(folder) ?? []).filter((name) => isShortFor(path, name));
    const marks = [markHere(path), ...longer.map((name) => factsMark(join(folder, name)))];
    const known = marks.filter((mark) => mark !== undefined);
    return known.length > 0 ? known.join('\n') : undefined;
  });
};

/** The mark of a file of this machine. */
export const markHere = (path: string): string | undefined => {
  const facts = factsMark(path);
  const real = facts === undefined ? undefined : realPathOf(path);
  if (real === undefined || (exactFactsAt(real)?.size ?? 0n) > MAX_READ_BYTES) return facts;
  const bytes = readPlain(real);
  return bytes === undefined ? facts : toMark(real, bytes);
};

/** What any change of a file changes: nobody can set `ctime`. It is the mark of a file that is long, that cannot be read, or whose name is only begun. */
const factsMark = (path: string): string | undefined => {
  const real = realPathOf(path);
  const facts = real === undefined ? undefined : exactFactsAt(real);
  return facts?.isFile() ? `${real} ${facts.dev} ${facts.ino} ${facts.size} ${facts.ctimeNs}` : undefined;
};
