/**
 * The files below a folder, as a search sees them. Own code: libraries that walk read a folder as a whole, and one with 300,000 files then holds
 * up all other calls for half a second; those that know `.gitignore` make regular expressions of it, see glob.ts.
 */
import type { Dirent } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { factsAt, linkFactsAt } from '../../io/paths/look';
import { readIfThere } from '../../io/paths/readIfThere';
import { immediate$ } from '../../io/stdio/immediate';
import { type Ignores, ignoresOf, isIgnored } from './ignoreRules';

/** `path` is relative to the root, with slashes; '' for the root itself. `ignores` are the rules of the folders above it. */
type Folder = { path: string; ignores: readonly Ignores[] };

/** How many folders are read at a time. */
const AT_ONCE = 8;

/** The entry of a folder has this many bytes where it holds tens of thousands of files; these are then read piece by piece. */
const LARGE_BYTES = 524_288;
const PIECE = 512;

/** How long entries are looked at before other events are served. */
const SLICE_MS = 8;

/** A larger `.gitignore` is not read. */
const MAX_TEXT_BYTES = 1_048_576;

/**
 * Emits the paths of the files in a folder and below it in batches, relative, with slashes. What `.gitignore` leaves out is left out, and `.git`;
 * links are not followed, and a folder that cannot be read counts as empty. Completes when all is read; unsubscribing stops. Other events are served meanwhile.
 */
export const walkFiles = (root: string): Observable<readonly string[]> => defer(() => from(walk(root)));

/** A list of folders to read instead of a recursion: what a disk holds has no bound. */
async function* walk(root: string): AsyncGenerator<string[]> {
  const folders: Folder[] = [{ path: '', ignores: [] }];
  const isOver = slices();
  while (folders.length > 0) {
    const read = await Promise.all(folders.splice(-AT_ONCE).map((folder) => readFolder(root, folder)));
    for (const folder of read) yield* filesIn(folder, folders, isOver);
  }
}

type Read = Folder & { entries: Iterable<Dirent> | AsyncIterable<Dirent> };

/** Yields the files of a folder, and adds the folders in it to those that are still to be read. */
async function* filesIn(folder: Read, folders: Folder[], isOver: () => boolean): AsyncGenerator<string[]> {
  const { path, ignores } = folder;
  let files: string[] = [];
  for await (const entry of folder.entries) {
    const isFolder = entry.isDirectory();
    const own = path === '' ? entry.name : `${path}/${entry.name}`;
    if ((isFolder || entry.isFile()) && entry.name !== '.git' && !isIgnored(ignores, own, isFolder)) {
      if (isFolder) folders.push({ path: own, ignores });
      else files.push(own);
    }
    if (!isOver()) continue;
    yield files;
    files = [];
    await firstValueFrom(immediate$);
  }
  if (files.length > 0) yield files;
}

/** True once in a slice of time: at its end. */
const slices = (): (() => boolean) => {
  let endMs = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < endMs) return false;
    endMs = performance.now() + SLICE_MS;
    return true;
  };
};

const readFolder = async (root: string, { path, ignores }: Folder): Promise<Read> => {
  const folder = path === '' ? root : `${root}/${path}`;
  const rules = rulesIn(`${folder}/.gitignore`);
  const own = rules === undefined ? ignores : [...ignores, ignoresOf(rules, path, ignores)];
  return { path, ignores: own, entries: await entriesOf(folder) };
};

const entriesOf = async (folder: string): Promise<Read['entries']> => {
  try {
    return (factsAt(folder)?.size ?? 0) > LARGE_BYTES
      ? inPieces(folder)
      : await readdir(folder, { withFileTypes: true });
  } catch {
    return []; // the search goes on without it
  }
};

async function* inPieces(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: PIECE });
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
