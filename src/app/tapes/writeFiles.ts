/** Files that commands write: new files, and tapes whose sessions are replaced. */

import { map, type Observable } from 'rxjs';
import { createNamed, replaceNamed } from '../../io/disk/namedHere';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { isThere } from '../../io/paths/look';
import { type Session, TapeError, type TapeItem } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { type LoadDeps, loadItems, type NumberedSession } from './loadTape';

/**
 * Writes a file that only its owner may read. Throws TapeError when it cannot be written, or is there already.
 * @param taken whether a file that is there is an error, or is replaced
 */
export const writeNew = (path: string, text: string, taken: 'error' | 'replace' = 'error'): void => {
  if (isNatsAddress(path)) throw new TapeError(`${path} is not a file: write one, and copy it with codex-rx tapes cp`);
  try {
    if (taken === 'replace') replaceNamed(path, text);
    else createNamed(path, text);
  } catch (error) {
    throw new TapeError(toReason(path, error as NodeJS.ErrnoException));
  }
};

const toReason = (path: string, { code, message }: NodeJS.ErrnoException): string =>
  code === 'EEXIST' ? takenText(path) : `${path} cannot be written: ${message}`;

/** The error of a file that is not replaced. */
export const takenText = (path: string): string => `${path} is there already and stays as it is: name a new file`;

/** Throws TapeError if one of the files exists already, before anything is run for it. */
export const checkNew = (paths: readonly (string | undefined)[]): void => {
  const taken = paths.find((path) => path !== undefined && isThere(path));
  if (taken !== undefined) throw new TapeError(takenText(taken));
};

/** Replaces the sessions of these numbers, and keeps the others; the file is whole at any time. Emits once and completes. */
export const rewriteTape = (deps: LoadDeps, path: string, fresh: readonly NumberedSession[]): Observable<void> =>
  loadItems({ ...deps, remark: () => {} }, path).pipe(
    map((items) => {
      if (isNatsAddress(path))
        throw new TapeError(`${path}: only a file can be replaced; copy it with codex-rx tapes cp`);
      const itemsByNumber = new Map(fresh.map(({ number, session }) => [number, toItems(session)]));
      const lines = splitSessions(items)
        .flatMap((part, i) => itemsByNumber.get(i + 1) ?? part)
        .flatMap((item) => toTapeLine(item) ?? []);
      replaceNamed(path, `${lines.join('\n')}\n`);
    }),
  );

/** A session as the items of a tape. */
export const toItems = ({ meta, entries }: Session): TapeItem[] => [
  { kind: 'meta', lineNumber: 1, meta },
  ...entries.map((entry): TapeItem => ({ kind: 'entry', ...entry })),
];

/** The items of each session. */
const splitSessions = (items: readonly TapeItem[]): TapeItem[][] => {
  const parts: TapeItem[][] = [];
  for (const item of items) {
    if (item.kind === 'meta' || parts.length === 0) parts.push([item]);
    else parts.at(-1)?.push(item);
  }
  return parts;
};
