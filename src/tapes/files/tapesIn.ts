/** Finds the tapes that paths name, and limits how much of a file is read. Own code: `node:fs` has globs only from Node 22 on. */
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { type MonoTypeOperatorFunction, map, pipe, scan } from 'rxjs';
import { isFolder } from '../../io/paths/look';
import { withoutLogin } from '../../streams/text/trim';
import { countLines } from '../format/recordSession';
import { TapeError } from '../format/tape';

/** A tape, and its name in a report. */
export type NamedTape = { path: string; name: string };

/** One tape, in a file, on NATS or `-` for stdin; or several. */
type Tapes = ({ kind: 'file' } & NamedTape) | { kind: 'files'; files: readonly NamedTape[] };

/** The path, or all `.jsonl` files below a folder, sorted, with relative paths; links are not followed. Throws TapeError if there is none. */
export const tapesIn = (path: string): Tapes => {
  if (path === '-' || !isFolder(path)) return { kind: 'file', path, name: basename(path) };
  const files = tapesBelow(path);
  if (files.length === 0) throw new TapeError(`${path} holds no tape: none of its files ends with .jsonl`);
  return { kind: 'files', files };
};

/** All `.jsonl` files below a folder, as `tapesIn` has them; there may be none. */
export const tapesBelow = (folder: string): NamedTape[] =>
  filesIn(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((path) => ({ path, name: relative(folder, path) }));

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

/** A tape is in memory several times at once, and is written as one text, whose length is limited. */
export const maxBytes = (): number => Math.min(getHeapStatistics().heap_size_limit / 8, 400_000_000);

/** How many bytes of a file a line counts for in memory, besides its own. */
const LINE_BYTES = 150;

/** Passes chunks up to `limit`, of bytes and of lines; errors with TapeError at the chunk that exceeds it. */
export const upTo = (limit: number, path: string): MonoTypeOperatorFunction<Uint8Array> =>
  pipe(
    scan<Uint8Array, { chunk: Uint8Array; weight: number }, undefined>(
      (before, chunk) => ({ chunk, weight: (before?.weight ?? 0) + chunk.length + LINE_BYTES * countLines(chunk) }),
      undefined,
    ),
    map(({ chunk, weight }) => {
      if (weight <= limit) return chunk;
      throw tooLarge(path);
    }),
  );

/** The error of a tape that is not read as a whole. What is cut is redacted before: a secret of one part may be in all of them. */
export const tooLarge = (path: string): TapeError =>
  new TapeError(
    `${path} is too large to be worked on at once; codex-rx check, stats, redact -o, import -o and diagram --from MS --to MS read a file of any size; for the rest give Node more memory (NODE_OPTIONS=--max-old-space-size=8192), or cut it at a line after codex-rx redact`,
  );
