/** The files below a folder, as a search sees them. */
import { concatMap, EMPTY, expand, filter, from, map, mergeMap, type Observable, of } from 'rxjs';
import type { CodexHost } from '../host';
import { type Ignores, ignoresOf, isIgnored } from './ignoreRules';

type WalkHost = Pick<CodexHost, 'list' | 'readText'>;

/** `path` is relative to the root, with slashes; '' for the root itself. */
type Folder = { path: string; ignores: readonly Ignores[] };

/** Folders that are read side by side. */
const SIDE_BY_SIDE = 8;

/**
 * Emits the paths of the files in a folder and below it, relative, with slashes. What `.gitignore` leaves out is left out, and `.git`;
 * links are not followed. Completes when all is read; unsubscribing stops.
 */
export const walkFiles =
  ({ list, readText }: WalkHost) =>
  (root: string): Observable<string> => {
    const read = ({ path, ignores }: Folder): Observable<Found> => {
      const folder = path === '' ? root : `${root}/${path}`;
      const here = [...ignores, ...rulesIn(readText, { folder, path, ignores })];
      return list(folder).pipe(
        concatMap((entries) => from(entries)),
        filter(({ name, kind }) => kind !== 'other' && name !== '.git'),
        map(({ name, kind }) => ({ path: path === '' ? name : `${path}/${name}`, kind, ignores: here })),
        filter(({ path, kind }) => !isIgnored(here, path, kind === 'folder')),
      );
    };
    return of<Found>({ path: '', kind: 'folder', ignores: [] }).pipe(
      expand((found) => (found.kind === 'folder' ? read(found) : EMPTY), SIDE_BY_SIDE),
      mergeMap(({ kind, path }) => (kind === 'file' ? of(path) : EMPTY)),
    );
  };

type Found = Folder & { kind: 'file' | 'folder' | 'other' };

type Place = Folder & { folder: string };

const rulesIn = (readText: CodexHost['readText'], { folder, path, ignores }: Place): Ignores[] => {
  const text = readText(`${folder}/.gitignore`);
  return text === undefined ? [] : [ignoresOf(text, path, ignores)];
};
