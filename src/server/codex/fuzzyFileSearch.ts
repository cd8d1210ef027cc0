/** `fuzzyFileSearch`: the files whose paths fit a query best. */
import { filter, from, map, merge, mergeMap, type Observable, reduce, Subject, takeUntil, timer } from 'rxjs';
import type { CodexHost } from '../../protocol/methods/host';
import { FileSearchParams } from '../../protocol/methods/methodParams';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import { inputFirst } from '../../streams/time/limits';
import { badRequest, type CodexMethod, readParams, withFaults } from '../method';

type SearchHost = Pick<CodexHost, 'folder' | 'files'>;

/** A search that takes longer is answered with what it has found. */
const MAX_MS = 10_000;

/** Each takes some ms of a turn of the event loop. */
const ROOTS_AT_ONCE = 4;

/** Source: the app-server protocol of the releases after 0.28.0. */
const MAX_FILES = 50;

/**
 * Searches the roots. A search replaces a running search with the same `cancellationToken`: that answers at once, with what it has found. So does a
 * search that takes ten seconds. Source: codex 0.142.0, `codex app-server generate-ts`.
 */
export const fuzzyFileSearch = (host: SearchHost): CodexMethod => {
  const token$ = new Subject<string>(); // the wire from a search to the older searches that it replaces
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
    mergeMap(({ root, folder }) => host.files(folder).pipe(map((paths) => ({ root, paths }))), ROOTS_AT_ONCE),
    takeUntil(merge(replaced$, timer(MAX_MS, inputFirst))),
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

/** The best files so far, best first. The array is changed in place, as most files do not get into it. */
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

type Fit = {
  score: number;
  /** Positions in the path of the letters of the query, in order. */
  indices: number[];
};

const MATCH = 16;
const CONSECUTIVE = 8;
const WORD_START = 8;
const IN_NAME = 4;
const GAP = 1;
const MAX_GAP = 8;

/**
 * The fit of a path, undefined if it lacks a letter of the query. Letters in a row, at the start of a word and in the name of the
 * file count more. A query in small letters fits capitals too. The query is read once for all paths.
 */
export const fuzzyScore = (query: string): ((path: string) => Fit | undefined) => {
  const letters = query.replaceAll(/\s/g, '');
  const isExact = letters !== letters.toLowerCase();
  return (path) => {
    if (letters.length > path.length) return undefined;
    const indices = matchIndices(letters, isExact ? path : toSmall(path));
    return indices && { score: scoreOf(path, indices), indices };
  };
};

/** Lower case with unchanged positions: a capital that becomes two letters, such as the dotted I, would move the letters after it. */
const toSmall = (path: string): string => {
  const small = path.toLowerCase();
  return small.length === path.length ? small : path;
};

/** From the last place at which the query can begin, so that the name of the file comes before its folders. */
const matchIndices = (letters: string, text: string): number[] | undefined => {
  let begin = text.length;
  for (let at = letters.length - 1; at >= 0; at--) {
    begin = begin === 0 ? -1 : text.lastIndexOf(letters[at] as string, begin - 1);
    if (begin < 0) return undefined;
  }
  let from = begin;
  return [...letters].map((letter) => {
    const index = text.indexOf(letter, from);
    from = index + letter.length;
    return index;
  });
};

const scoreOf = (path: string, indices: readonly number[]): number => {
  const name = path.lastIndexOf('/') + 1;
  return indices.reduce((score, index, at) => {
    const gap = at === 0 ? 0 : index - (indices[at - 1] as number) - 1;
    const near = at > 0 && gap === 0 ? CONSECUTIVE : -Math.min(gap * GAP, MAX_GAP);
    return score + MATCH + near + (isWordStart(path, index) ? WORD_START : 0) + (index >= name ? IN_NAME : 0);
  }, 0);
};

const isWordStart = (path: string, index: number): boolean => {
  const before = path[index - 1];
  const letter = path[index] as string;
  return before === undefined || /[^\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(before));
};
