/** Writes what happens in a thread to its rollout, without delaying the thread. */
import { EMPTY, NEVER, type Observable } from 'rxjs';
import type { Appender } from '../io/files/appendFile';
import type { Awaitable } from '../streams/awaitable';
import { numberedLines } from './lines/numberedLines';
import type { RolloutEntry } from './lines/rolloutEntry';

/** `stale`: another process has gone on with the thread since, or this one has lost it; it is resumed again. */
export type Claim = 'current' | 'stale';

/**
 * Records a thread. Each member begins when it is called, and none throws.
 * `write` returns at once; `endTurn` completes when the store has all lines, so that a turn whose end was reported is kept, and errors
 * with ThreadError where they will not be kept; `close` completes when other processes may have the thread for good. `isKept`: what was
 * written so far can be read again; false while something could not be written.
 * A store may lend a thread to other processes between its turns, from `rest` to `claim`: `claim` is there or emits once, and errors with ThreadError
 * where another process has it. `lost$` emits nothing; it errors with ThreadError where this process must stop the turn that runs, as the
 * thread is not its own any more.
 */
export type ThreadRecord = {
  write: (...entries: readonly RolloutEntry[]) => void;
  endTurn: () => Observable<never>;
  close: () => Observable<never>;
  isKept: () => boolean;
  claim: () => Awaitable<Claim>;
  rest: () => Observable<never>;
  lost$: Observable<never>;
};

/** The members of a record whose thread stays with this process until it is closed. */
export const OWN_UNTIL_CLOSED: Pick<ThreadRecord, 'claim' | 'rest' | 'lost$'> = {
  claim: () => 'current',
  rest: () => EMPTY,
  lost$: NEVER,
};

/**
 * @param open opens the rollout, when the first line is written; throws FileError
 * @param soon runs a function after the current work; @param later after the turns that follow at once; @param now in ms since 1970
 * @param failed is called with what went wrong; the thread goes on, and what could not be written is tried again with what follows
 * @param recovered is called when that has been written
 */
export type RecordDeps = {
  open: () => Appender;
  soon: (run: () => void) => void;
  later: (run: () => void) => void;
  now: () => number;
  failed: (error: Error) => void;
  recovered: () => void;
  nextOrdinal?: number;
};

/**
 * The record of one thread. Lines of one instant are one write. `endTurn` completes at once, when the system has all lines; they are
 * synced to the disk in the background, once for several turns, and at last by `close`.
 */
export const threadRecord = (deps: RecordDeps): ThreadRecord => {
  const file = lazyFile(deps);
  let lines: string[] = [];
  const toLine = numberedLines(deps);
  const flush = () => {
    if (lines.length > 0) file.append(lines.join(''));
    lines = [];
  };
  return {
    write: (...entries) => {
      if (file.isClosed()) return;
      if (lines.length === 0) deps.soon(flush);
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

/** More than this is not held back for a disk that stays full. */
const MAX_OWED = 8_388_608; // characters

/** A file that is opened by the first text, and anew after a failure. */
const lazyFile = ({ open, later, failed, recovered }: RecordDeps) => {
  const file = holdingBack(open);
  let isFailing = false;
  let isClosed = false;
  const fail = (error: Error) => {
    file.close();
    isFailing = true;
    isClosed = file.giveUpAbove(MAX_OWED) || isClosed;
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

/** Runs a function later, once for all requests until then; `now` runs it at once where it was requested. */
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
 * A file that is opened by the next text after its beginning and after each `close`. What it could not take, it gets with the text that follows:
 * `append` throws until then. `owes`: how many characters that is; `giveUpAbove` forgets them where they are more, and tells
 * whether they were.
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
