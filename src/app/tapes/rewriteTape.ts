/** Replaces sessions on a tape. */
import { map, type Observable } from 'rxjs';
import { replaceNamed } from '../../io/disk/namedHere';
import { isNatsAddress } from '../../io/nats/natsAddress';
import type { TapeItem } from '../../tapes/format/tape';
import { TapeError } from '../../tapes/format/tapeFile';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { type LoadDeps, loadItems, type NumberedSession } from './loadTape';

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

const toItems = ({ meta, entries }: NumberedSession['session']): TapeItem[] => [
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
