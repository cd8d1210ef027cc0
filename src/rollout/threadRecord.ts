/** Writes what happens in a thread to its rollout, without holding the thread up. */
import type { Appender } from '../files';
import { type RolloutEntry, toRolloutLine } from './rolloutEntry';

/**
 * What a thread is recorded by. `write` returns at once; `endTurn` returns when the system has all lines, so that a turn whose end was
 * reported is kept, and then asks for the disk in the background; `close` gives the file back. `isKept`: what was written so far can be
 * read again. None of them throws.
 */
export type ThreadRecord = {
  write: (...entries: readonly RolloutEntry[]) => void;
  endTurn: () => void;
  close: () => void;
  isKept: () => boolean;
};

/**
 * @param open opens the rollout, when the first line is written; throws FileError
 * @param soon runs a function after the current work; @param now in ms since 1970
 * @param failed is called once, with what went wrong; the thread goes on, and no more of it is kept
 */
export type RecordDeps = {
  open: () => Appender;
  soon: (run: () => void) => void;
  now: () => number;
  failed: (error: Error) => void;
  nextOrdinal?: number;
};

/** The record of one thread. Lines of one instant are one write. */
export const threadRecord = (deps: RecordDeps): ThreadRecord => {
  const file = lazyFile(deps);
  let lines: string[] = [];
  let ordinal = deps.nextOrdinal;
  const flush = () => {
    if (lines.length > 0) file.append(lines.join(''));
    lines = [];
  };
  return {
    write: (...entries) => {
      if (file.isClosed()) return;
      if (lines.length === 0) deps.soon(flush);
      for (const entry of entries) {
        lines.push(toRolloutLine(entry, deps.now(), ordinal));
        if (ordinal !== undefined) ordinal += 1;
      }
    },
    endTurn: () => {
      flush();
      file.sync();
    },
    close: () => {
      flush();
      file.close();
    },
    isKept: () => file.isOpen(),
  };
};

/** Not needed yet, open, or that nothing is kept any more. */
type State = { kind: 'waiting' } | { kind: 'open'; file: Appender } | { kind: 'closed' };

/** A file that is opened by the first text, and closed by the first failure. */
const lazyFile = ({ open, failed }: RecordDeps) => {
  let state: State = { kind: 'waiting' };
  const close = () => {
    if (state.kind === 'open') state.file.close();
    state = { kind: 'closed' };
  };
  const fail = (error: Error) => {
    if (state.kind === 'closed') return;
    close();
    failed(error);
  };
  const append = (text: string) => {
    if (state.kind === 'closed') return;
    try {
      if (state.kind === 'waiting') state = { kind: 'open', file: open() };
      state.file.append(text);
    } catch (error) {
      fail(error as Error);
    }
  };
  return {
    append,
    sync: () => state.kind === 'open' && state.file.sync(fail),
    close,
    isClosed: () => state.kind === 'closed',
    isOpen: () => state.kind === 'open',
  };
};
