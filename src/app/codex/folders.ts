/** Folders of this machine, as a search of files reads them. */
import { readdir } from 'node:fs/promises';
import { catchError, concatMap, defer, from, map, type Observable, of } from 'rxjs';
import { linkFactsAt, readIfThere } from '../../paths';
import type { CodexHost, FolderEntry } from '../../server/codex';
import { immediate$ } from '../../transport';

/** Larger files are not read. */
const MAX_TEXT_BYTES = 1_048_576;

/** How many entries are tried at a time: the rules of a repository may take long, and nothing else is served meanwhile. */
const BATCH = 8;

/** The entries of a folder, in batches between which others run; none where it cannot be read, as a search goes on without it. */
export const listFolder = (folder: string): Observable<readonly FolderEntry[]> =>
  defer(() => readdir(folder, { withFileTypes: true })).pipe(
    map((entries) =>
      entries.map(
        (entry): FolderEntry => ({
          name: entry.name,
          kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
        }),
      ),
    ),
    catchError(() => of([])),
    concatMap((entries) => (entries.length <= BATCH ? of(entries) : from(batchesOf(entries)).pipe(concatMap(soon)))),
  );

const batchesOf = (entries: readonly FolderEntry[]): FolderEntry[][] =>
  Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, at) => entries.slice(at * BATCH, (at + 1) * BATCH));

/** Emits a value once the events that wait have been served. */
const soon = <T>(value: T): Observable<T> => immediate$.pipe(map(() => value));

/** The text of a small regular file; undefined where there is none that can be read. */
export const readSmallText: CodexHost['readText'] = (path) => {
  try {
    const facts = linkFactsAt(path);
    return facts?.isFile() && facts.size <= MAX_TEXT_BYTES ? readIfThere(path) : undefined;
  } catch {
    return undefined; // a file that may not be read has no rules for a search
  }
};
