/** Finds the tapes that a path names. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { TapeError } from './tapeError';

/** A file, or `-` for stdin; or the tapes below a folder, named from there. */
export type Tapes =
  | { kind: 'file'; name: string }
  | { kind: 'folder'; files: readonly { path: string; name: string }[] };

const isFolder = (path: string): boolean =>
  path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

/** All `.jsonl` files below a folder, in the order of their names; links are not followed. Throws TapeError where a folder has none. */
export const tapesIn = (path: string): Tapes => {
  if (!isFolder(path)) return { kind: 'file', name: basename(path) };
  const files = filesIn(path).filter((file) => file.endsWith('.jsonl'));
  if (files.length === 0) throw new TapeError(`${path} holds no tape: none of its files ends with .jsonl`);
  return { kind: 'folder', files: files.map((file) => ({ path: file, name: relative(path, file) })) };
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() ? [path] : [];
    });
