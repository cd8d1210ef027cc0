/** `codex-rx tapes search`: finds texts in the tapes of a folder. */
import { concatMap, defer, from, map, type Observable, take } from 'rxjs';
import { foldAll } from '../../app/tapes/foldTape';
import { type LoadDeps, skipUnusable } from '../../app/tapes/loadTape';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { type NamedTape, tapesIn } from '../../tapes/files/tapesIn';
import { type FoundLine, sessionSearcher, type Wanted } from '../../tapes/search/searchSession';

type FoundInTape = FoundLine & { tape: string };

/**
 * Searches a tape, or each tape below a folder, in a stream. Emits a line for each line of a tape that is found, as text or as JSON, and completes; remarks
 * if there are more than `most`. A tape of a folder that cannot be used is remarked on. Errors with TapeError if there is no tape.
 */
export const startSearching = (
  deps: LoadDeps,
  path: string,
  { json, most, ...wanted }: Wanted & { json: boolean },
): Observable<string> =>
  searchTapes(deps, path, { ...wanted, most: most + 1 }).pipe(
    take(most + 1),
    concatMap((found, at) => {
      if (at < most) return [json ? toVisibleLines(`${JSON.stringify(found)}\n`) : `${toLine(found)}\n`];
      deps.remark(`there are more than ${most} lines; --limit finds more`);
      return [];
    }),
  );

const toLine = ({ tape, lineNumber, at = '', who, what, place, text }: FoundInTape): string =>
  toVisible(
    [`${tape}:${lineNumber}`, at.slice(0, 19), who, what, place === '' ? text : `${place}: ${text}`]
      .filter((part) => part !== '')
      .join('  '),
  );

const searchTapes = (deps: LoadDeps, path: string, wanted: Wanted): Observable<FoundInTape> =>
  defer(() => {
    const tapes = tapesIn(path);
    if (tapes.kind === 'file') return searchTape(deps, tapes, wanted);
    return from(tapes.files).pipe(concatMap((tape) => searchTape(deps, tape, wanted).pipe(skipUnusable(deps))));
  });

const searchTape = (deps: LoadDeps, { path, name }: NamedTape, wanted: Wanted): Observable<FoundInTape> =>
  foldAll(deps, { path, number: undefined }, () => sessionSearcher(wanted)).pipe(
    concatMap((sessions) => from(sessions.flatMap(({ result }) => result))),
    map((found) => ({ ...found, tape: name })),
  );
