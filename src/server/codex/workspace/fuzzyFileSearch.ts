/** `fuzzyFileSearch`: the files whose paths fit a query best. */
import { filter, from, map, merge, mergeMap, type Observable, reduce, Subject, takeUntil, timer } from 'rxjs';
import type { CodexHost } from '../../../protocol/methods/host';
import { FileSearchParams } from '../../../protocol/methods/workspaceParams';
import { type Result, toResult } from '../../../protocol/rpc/answerOnce';
import { badRequest, type CodexMethod, readParams, withFaults } from '../../method';
import { type Fit, fuzzyScore } from './fuzzyScore';

type SearchHost = Pick<CodexHost, 'folder' | 'files'>;

/** A search that takes longer is answered with what it has found. */
const MAX_MS = 10_000;

/** Source: the app-server protocol of the releases after 0.28.0. */
const MAX_FILES = 50;

/**
 * Searches the roots. A search with the `cancellationToken` of one that runs replaces it: the older one answers at once, with what it
 * has found. So does one after ten seconds. Source: codex 0.142.0, `codex app-server generate-ts`.
 */
export const fuzzyFileSearch = (host: SearchHost): CodexMethod => {
  const token$ = new Subject<string>(); // the wire from a search to the older ones that it replaces
  return (request) => {
    const { query, roots, cancellationToken: token } = readParams(FileSearchParams(), request);
    if (token !== undefined) token$.next(token);
    const replaced$ = token$.pipe(filter((other) => other === token));
    return withFaults(badRequest('the files cannot be searched: '), () => search(host, { query, roots, replaced$ }));
  };
};

type Search = { query: string; roots: readonly string[]; replaced$: Observable<unknown> };

const search = (host: SearchHost, { query, roots, replaced$ }: Search): Observable<Result> => {
  const fitOf = fuzzyScore(query);
  return from(roots.map((root) => ({ root, folder: host.folder(root) }))).pipe(
    mergeMap(({ root, folder }) => host.files(folder).pipe(map((paths) => ({ root, paths })))),
    takeUntil(merge(replaced$, timer(MAX_MS))),
    reduce((best: Found[], { root, paths }) => {
      for (const path of paths) {
        const fit = fitOf(path);
        if (fit !== undefined) keepBest(best, { root, path, ...fit });
      }
      return best;
    }, []),
    map((files) => toResult({ files: files.map(toFile) })),
  );
};

type Found = Fit & { root: string; path: string };

/** The best ones so far, best first; the array is changed in place, as most files do not get into it. */
const keepBest = (best: Found[], found: Found): void => {
  const last = best.at(-1);
  if (best.length === MAX_FILES && last !== undefined && isBetter(last, found)) return;
  const at = best.findIndex((other) => isBetter(found, other));
  best.splice(at < 0 ? best.length : at, 0, found);
  best.length = Math.min(best.length, MAX_FILES);
};

const isBetter = (one: Found, other: Found): boolean =>
  one.score !== other.score ? one.score > other.score : one.path < other.path;

const toFile = ({ root, path, score, indices }: Found) => ({
  root,
  path,
  match_type: 'file',
  file_name: path.slice(path.lastIndexOf('/') + 1),
  score,
  indices,
});
