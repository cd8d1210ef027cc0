/**
 * The files below a folder, as a search sees them, without what `.gitignore` leaves out. Own code: libraries that walk read a folder as a whole, and a
 * folder of 300,000 files then delays all other calls by half a second; libraries that know `.gitignore`, such as `ignore`, make regular expressions
 * of patterns that nobody vouches for, see streams/text/glob.ts. Source: gitignore(5).
 */
import { type Dirent, readdirSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { factsAt, linkFactsAt, readIfThere } from '../../io/paths/look';
import { immediate$ } from '../../io/stdio/immediate';
import { fitsGlob, type Glob, toGlob } from '../../streams/text/glob';

type Folder = {
  /** Relative to the root, with slashes; '' for the root. */
  path: string;
  /** Rules of the folders above it. */
  ignores: readonly Ignores[];
};

/** A folder of tens of thousands of files has an entry of this size; its files are read piece by piece. */
const LARGE_BYTES = 524_288;
const PIECE = 512;

/** How long entries are looked at before other events are served. */
const SLICE_MS = 8;

/** A larger `.gitignore` is not read. */
const MAX_TEXT_BYTES = 1_048_576;

/**
 * Emits the paths of the files in a folder and below it in batches, relative, with slashes; without `.git` and what `.gitignore` leaves out. Links are
 * not followed; a folder that cannot be read counts as empty. Completes when all is read; unsubscribing stops. Other events are served meanwhile.
 */
export const walkFiles = (root: string): Observable<readonly string[]> => defer(() => from(walk(root)));

/** A list of folders to read instead of a recursion: what a disk holds has no bound. */
async function* walk(root: string): AsyncGenerator<string[]> {
  const found: Found = { folders: [{ path: '', ignores: [] }], files: [] };
  const isOver = slices();
  for (let next = found.folders.pop(); next !== undefined; next = found.folders.pop()) {
    const folder = readFolder(root, next);
    for await (const entries of folder.pieces)
      for (const entry of entries) {
        add(found, folder, entry);
        if (!isOver()) continue;
        yield found.files.splice(0);
        await firstValueFrom(immediate$);
      }
  }
  yield found.files;
}

/** What is still to be read, and what has been found. */
type Found = { folders: Folder[]; files: string[] };

type Read = Folder & { pieces: Iterable<Iterable<Dirent>> | AsyncIterable<Iterable<Dirent>> };

const add = ({ folders, files }: Found, { path, ignores }: Folder, entry: Dirent): void => {
  const isFolder = entry.isDirectory();
  const own = path === '' ? entry.name : `${path}/${entry.name}`;
  if ((!isFolder && !entry.isFile()) || entry.name === '.git' || isIgnored(ignores, own, isFolder)) return;
  if (isFolder) folders.push({ path: own, ignores });
  else files.push(own);
};

/** True once in a slice of time: at its end. */
const slices = (): (() => boolean) => {
  let endMs = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < endMs) return false;
    endMs = performance.now() + SLICE_MS;
    return true;
  };
};

const readFolder = (root: string, { path, ignores }: Folder): Read => {
  const folder = path === '' ? root : `${root}/${path}`;
  const pieces = piecesOf(folder);
  const rules = mayHaveRules(pieces) ? rulesIn(`${folder}/${RULES}`) : undefined;
  const own = rules === undefined ? ignores : [...ignores, ignoresOf(rules, path, ignores)];
  return { path, ignores: own, pieces };
};

const RULES = '.gitignore';
const mayHaveRules = (pieces: Read['pieces']): boolean =>
  !Array.isArray(pieces) || pieces.flat().some(({ name }: Dirent) => name === RULES);

/** At once: a folder of a few files is read faster than a thread is asked for it. */
const piecesOf = (folder: string): Read['pieces'] => {
  if ((factsAt(folder)?.size ?? 0) > LARGE_BYTES) return inPieces(folder);
  try {
    return [readdirSync(folder, { withFileTypes: true })];
  } catch {
    return []; // the search goes on without it
  }
};

async function* inPieces(folder: string): AsyncGenerator<Iterable<Dirent>> {
  try {
    for await (const entry of await opendir(folder, { bufferSize: PIECE })) yield [entry];
  } catch {} // as above
}

const rulesIn = (path: string): string | undefined => {
  try {
    const facts = linkFactsAt(path);
    return facts?.isFile() && facts.size <= MAX_TEXT_BYTES ? readIfThere(path) : undefined;
  } catch {
    return undefined; // a file that may not be read has no rules for a search
  }
};

type Rule = { glob: Glob; isNegated: boolean; foldersOnly: boolean };

type Ignores = {
  /** Relative path of its folder; '' for the root of the search. */
  folder: string;
  rules: readonly Rule[];
  chars: number;
};

/** More is not read, as a search tries each rule on every path. The last limit counts for a folder and all folders above it. */
const MAX_RULES = 1_000;
const MAX_PATTERN = 256;
const MAX_CHARS = 16_384;

/** Reads the `.gitignore` of a folder; `above` are the rules of the folders above it. */
export const ignoresOf = (text: string, folder: string, above: readonly Ignores[] = []): Ignores => {
  let chars = 0;
  const room = MAX_CHARS - above.reduce((sum, one) => sum + one.chars, 0);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.length <= MAX_PATTERN)
    .map((line) => line.replace(/(?<!\\) +$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_RULES)
    .filter((line) => {
      chars += line.length;
      return chars <= room;
    });
  return { folder, rules: lines.map(toRule), chars: lines.reduce((sum, { length }) => sum + length, 0) };
};

/** True if the rules leave out this path, relative to the root of the search. The last rule that fits decides. */
export const isIgnored = (all: readonly Ignores[], path: string, isFolder: boolean): boolean => {
  for (let at = all.length - 1; at >= 0; at--) {
    const { folder, rules } = all[at] as Ignores;
    const inside = folder === '' ? path : path.slice(folder.length + 1);
    const last = rules.findLast(({ glob, foldersOnly }) => (isFolder || !foldersOnly) && fitsGlob(glob, inside));
    if (last !== undefined) return !last.isNegated;
  }
  return false;
};

/** A pattern with a slash before its end is anchored to its folder; any other fits at every depth. */
const toRule = (line: string): Rule => {
  const isNegated = line.startsWith('!');
  const body = line.replace(/^!/, '');
  const path = body.replace(/\/$/, '');
  const anchored = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  return { glob: toGlob(anchored), isNegated, foldersOnly: body.endsWith('/') };
};
