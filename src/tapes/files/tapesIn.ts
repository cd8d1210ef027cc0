/** Finds the tapes that paths name. Own code: `node:fs` has globs only from Node 22 on. */
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isFolder } from '../../io/paths/look';
import { withoutLogin } from '../../streams/text/trim';
import { TapeError } from '../format/tapeFile';

/** A tape, and its name in a report. */
export type NamedTape = { path: string; name: string };

/** One tape, in a file, on NATS or `-` for stdin; or several. */
export type Tapes = ({ kind: 'file' } & NamedTape) | { kind: 'files'; files: readonly NamedTape[] };

/**
 * The path itself, or all `.jsonl` files below a folder, sorted by name, with their paths relative to the folder; links are not followed. Throws
 * TapeError if a folder has none.
 */
export const tapesIn = (path: string): Tapes => {
  if (path === '-' || !isFolder(path)) return { kind: 'file', path, name: basename(path) };
  const files = filesIn(path).filter((file) => file.endsWith('.jsonl'));
  if (files.length === 0) throw new TapeError(`${path} holds no tape: none of its files ends with .jsonl`);
  return { kind: 'files', files: files.map((file) => ({ path: file, name: relative(path, file) })) };
};

/** The tapes of one path as by `tapesIn`; of several paths, each with its given name. */
export const tapesOf = (paths: readonly string[]): Tapes => {
  const [path] = paths;
  if (path !== undefined && paths.length === 1) return tapesIn(path);
  const all = paths.map((one): Tapes => tapesIn(one));
  const files = all.flatMap((tapes) => (tapes.kind === 'file' ? [tapes] : tapes.files));
  return { kind: 'files', files: files.map((tape) => ({ path: tape.path, name: withoutLogin(tape.path) })) };
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() ? [path] : [];
    });
