/** Files that commands write: new files, and tapes whose lines are replaced. */
import { defer, finalize, ignoreElements, type OperatorFunction, tap } from 'rxjs';
import { createNamed, replaceNamed } from '../../io/disk/namedHere';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { isThere, readRegular } from '../../io/paths/look';
import { type Session, TapeError, type TapeItem } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { onDisk } from './openTapeFile';

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

/** A new tape that is written piece by piece. */
type NewTape = {
  write: (items: readonly TapeItem[]) => void;
  /** How many lines were written. */
  written: () => number;
  /** Returns once all of it is on the disk. */
  sync: () => void;
  close: () => void;
};

/** Makes a tape of which no more than a piece is in memory. Throws as `writeNew` does. */
export const newTape = (path: string): NewTape => {
  writeNew(path, '');
  const { append, sync, close } = onDisk(path);
  let written = 0;
  return {
    write: (items) => {
      const lines = items.flatMap((item) => toTapeLine(item) ?? []);
      written += lines.length;
      if (lines.length > 0) append(Buffer.from(`${lines.join('\n')}\n`));
    },
    written: () => written,
    sync,
    close,
  };
};

/** Writes a tape, which is made when there is something to write. Emits nothing; completes once all of it is on the disk. Errors as `writeNew` does. */
export const writeTape =
  (out: string): OperatorFunction<readonly TapeItem[], never> =>
  (items$) =>
    defer(() => {
      let tape: NewTape | undefined;
      const write = (items: readonly TapeItem[]) => {
        tape ??= newTape(out);
        tape.write(items);
      };
      return items$.pipe(
        tap({ next: write, complete: () => tape?.sync() }),
        ignoreElements(),
        finalize(() => tape?.close()),
      );
    });

const toReason = (path: string, { code, message }: NodeJS.ErrnoException): string =>
  code === 'EEXIST' ? takenText(path) : `${path} cannot be written: ${message}`;

/** The error of a file that is not replaced. */
export const takenText = (path: string): string => `${path} is there already and stays as it is: name a new file`;

/** Throws TapeError if one of the files exists already, before anything is run for it. */
export const checkNew = (paths: readonly (string | undefined)[]): void => {
  const taken = paths.find((path) => path !== undefined && isThere(path));
  if (taken !== undefined) throw new TapeError(takenText(taken));
};

/** Replaces lines of a tape by others, and keeps all others to the byte; the file is whole at any time. @param edits the lines by their numbers */
export const rewriteTape = (path: string, edits: ReadonlyMap<number, readonly string[]>): void => {
  if (isNatsAddress(path)) throw new TapeError(`${path}: only a file can be replaced; copy it with codex-rx tapes cp`);
  const lines = readRegular(path).split('\n');
  replaceNamed(path, lines.flatMap((line, at) => edits.get(at + 1) ?? [line]).join('\n'));
};

/** A session as the items of a tape. */
export const toItems = ({ meta, entries }: Session): TapeItem[] => [
  { kind: 'meta', lineNumber: 1, meta },
  ...entries.map((entry): TapeItem => ({ kind: 'entry', ...entry })),
];

/** A session as the text of a tape. */
export const toTapeText = (session: Session): string =>
  `${toItems(session)
    .flatMap((item) => toTapeLine(item) ?? [])
    .join('\n')}\n`;
