/** Writes what happens in a thread to its rollout, without delaying the thread. */
import { EMPTY, NEVER, type Observable } from 'rxjs';
import { type Appender, isRemoved } from '../io/files/appendFile';
import { FileError } from '../io/files/fileError';
import type { Awaitable } from '../streams/awaitable';
import { type RolloutEntry, toRolloutLine } from './lines/rolloutEntry';

/** `stale`: another process has continued the thread, or this process has lost it; it must be resumed again. */
export type Claim = 'current' | 'stale';

/**
 * Records a thread. Each member begins when it is called, and none throws. A store may lend a thread to other processes between its turns, from
 * `rest` to `claim`.
 */
export type ThreadRecord = {
  /** Returns at once. */
  write: (...entries: readonly RolloutEntry[]) => void;
  /** Completes when the store has all lines: a turn whose end was reported is kept. Errors with ThreadError if they will not be kept. */
  endTurn: () => Observable<never>;
  /** Completes when other processes may have the thread for good. */
  close: () => Observable<never>;
  /** True if everything that was written can be read again; false while something could not be written. */
  isKept: () => boolean;
  /** True if `claim`, `endTurn` and `rest` return what they find, and wait for nobody. */
  answersAtOnce?: true;
  /** Takes the thread back: returned, or emitted once. Errors with ThreadError if another process has the thread. */
  claim: () => Awaitable<Claim>;
  /** Lends the thread to other processes. */
  rest: () => Observable<never>;
  /** Emits nothing. Errors with ThreadError if this process must stop the running turn, because it has lost the thread. */
  lost$: Observable<never>;
};

/** The members of a record whose thread stays with this process until it is closed. */
export const OWN_UNTIL_CLOSED: Pick<ThreadRecord, 'claim' | 'rest' | 'lost$'> = {
  claim: () => 'current',
  rest: () => EMPTY,
  lost$: NEVER,
};

export type RecordDeps = LineDeps & {
  /** Opens the rollout, when the first line is written; throws FileError. */
  open: () => Appender;
  /** Runs a function after the current work. */
  soon: (run: () => void) => void;
  /** Runs a function after the turns that follow at once. */
  later: (run: () => void) => void;
  /** Is called with the reason of a failure. The thread continues; what could not be written is tried again with the next lines. */
  failed: (error: Error) => void;
  /** Is called when that has been written. */
  recovered: () => void;
};

/**
 * The record of one thread. Lines of one instant are one write. `endTurn` completes at once, when the system has all lines; they are
 * synced to the disk in the background, once for several turns, and at last by `close`.
 */
export const threadRecord = (deps: RecordDeps): ThreadRecord => {
  const file = lazyFile(deps);
  const lines: string[] = [];
  const toLine = numberedLines(deps);
  const append = (some: readonly string[]) => some.length > 0 && file.append(some.join(''));
  const flush = () => append(lines.splice(0));
  const flushSome = () => {
    append(takeSome(lines));
    if (lines.length > 0) deps.soon(flushSome);
  };
  return {
    write: (...entries) => {
      if (file.isClosed()) return;
      if (lines.length === 0) deps.soon(flushSome);
      for (const entry of entries) lines.push(toLine(entry));
    },
    endTurn: () => {
      flush();
      file.sync();
      return EMPTY;
    },
    close: () => {
      flush();
      file.close();
      return EMPTY;
    },
    isKept: () => file.isOpen(),
    ...OWN_UNTIL_CLOSED,
  };
};

/** Longer lines, such as those of a picture, are written one in a turn of the event loop, unless the turn of the thread ends. In UTF-16 units. */
const AT_ONCE_CHARS = 1_048_576;

/** Takes the lines that are written in one turn of the event loop out of the list. */
const takeSome = (lines: string[]): string[] => {
  let chars = 0;
  const last = lines.findIndex((line) => {
    chars += line.length;
    return chars >= AT_ONCE_CHARS;
  });
  return lines.splice(0, last < 0 ? lines.length : last + 1);
};

/** More than this is not kept for a disk that stays full. */
const MAX_OWED = 8_388_608; // characters

/** A file that is opened by the first text, and again after a failure. */
const lazyFile = ({ open, later, failed, recovered }: RecordDeps) => {
  const file = holdingBack(open);
  let isFailing = false;
  let isClosed = false;
  const fail = (error: Error) => {
    file.close();
    isFailing = true;
    isClosed = file.giveUpAbove(MAX_OWED) || isRemoved(error) || isClosed; // a new file would lack the beginning of the thread
    failed(error);
  };
  const disk = delayed(later, () => file.sync(fail));
  const append = (text: string) => {
    if (isClosed) return;
    try {
      file.append(text);
    } catch (error) {
      return fail(error as Error);
    }
    if (isFailing) recovered();
    isFailing = false;
  };
  const close = () => {
    if (file.owes() > 0) append('');
    disk.now();
    file.close();
    isClosed = true;
  };
  return { append, sync: () => file.isOpen() && disk.later(), close, isClosed: () => isClosed, isOpen: file.isOpen };
};

const withRemedy = ({ message, code }: FileError): FileError =>
  new FileError(`${message}. Start a new thread to keep what follows`, code);

/** Runs a function later, once for all requests until then; `now` runs it at once if it was requested. */
const delayed = (later: RecordDeps['later'], run: () => void) => {
  let isDue = false;
  const now = () => {
    const wasDue = isDue;
    isDue = false;
    if (wasDue) run();
  };
  const request = () => {
    if (isDue) return;
    isDue = true;
    later(now);
  };
  return { later: request, now };
};

/**
 * A file that is opened by the next text after its beginning and after each `close`. Text that could not be written is written with the next text:
 * `append` throws until then. `owes` counts its characters; `giveUpAbove` drops them if there are more, and returns whether it did.
 */
export const holdingBack = (open: () => Appender) => {
  let file: Appender | undefined;
  let owed = '';
  return {
    append: (text: string) => {
      owed += text;
      file ??= open();
      file.append(owed);
      owed = '';
      const removed = file.removed();
      if (removed !== undefined) throw withRemedy(removed);
    },
    owes: () => owed.length,
    giveUpAbove: (maxChars: number) => {
      const isTooMuch = owed.length > maxChars;
      if (isTooMuch) owed = '';
      return isTooMuch;
    },
    sync: (failed: (error: Error) => void) => file?.sync(failed),
    close: () => {
      file?.close();
      file = undefined;
    },
    isOpen: () => file !== undefined,
  };
};

/** What the lines of a rollout are made of. */
type LineDeps = {
  /** Ms since 1970. */
  now: () => number;
  /** The number of the next line, if the lines of the rollout are counted. */
  nextOrdinal?: number;
};

/** Makes the line of each entry, with its line end, and with its number if the lines of the rollout are counted. */
export const numberedLines = ({ now, nextOrdinal }: LineDeps): ((entry: RolloutEntry) => string) => {
  let ordinal = nextOrdinal;
  return (entry) => {
    const line = toRolloutLine(entry, now(), ordinal);
    if (ordinal !== undefined) ordinal += 1;
    return line;
  };
};
