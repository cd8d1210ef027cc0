/** Takes the secrets out of a tape that does not fit in memory. */
import { lazy } from '../../streams/lazy';
import { atOnce } from '../../streams/pausing';
import { redactionBuffer } from './redactionBuffer';
import { countKinds, redactItem, redactor } from './redactTape';
import type { Entry, TapeItem } from './tape';

/** Redacts a tape in two readings, so that it does not have to fit in memory. */
type StreamRedactor = {
  /** Takes each item of the first reading. */
  learn: (item: TapeItem) => void;
  /** Takes each item of the second reading; returns the items that can be written. */
  redact: (item: TapeItem) => readonly TapeItem[];
  /** Returns all items that are left, and how often each kind was removed. */
  end: () => { items: readonly TapeItem[]; removed: Record<string, number> };
};

/** The same as `redactTape`, but for what it counts. */
export const streamRedactor = (secrets: readonly string[]): StreamRedactor => {
  const first = redactor({ secrets, onRemoved: () => {} });
  const removed: { kind: string }[] = [];
  const second = lazy(() => {
    const known = [...secrets, ...first.learned()];
    const redact = redactor({ secrets: known, onRemoved: (kind) => removed.push({ kind }) });
    return { redact, buffer: redactionBuffer(redact) };
  });
  const toItems = (entries: readonly Entry[]) =>
    entries.map((entry): TapeItem => ({ kind: 'entry', lineNumber: 0, entry }));
  let isBegun = false;
  return {
    learn: (item) => void redactItem(first)(item),
    redact: (item) => {
      const { redact, buffer } = second();
      const head: TapeItem[] =
        isBegun || item.kind !== 'entry' ? [] : [{ kind: 'meta', lineNumber: 0, meta: { redacted: true } }];
      isBegun ||= item.kind === 'meta' || item.kind === 'entry';
      if (item.kind === 'entry') return [...head, ...toItems(atOnce(buffer.add(item.entry)))];
      const fresh = redactItem(redact)(item);
      return [
        ...toItems(atOnce(buffer.end())),
        fresh.kind === 'meta' ? { ...fresh, meta: { ...fresh.meta, redacted: true } } : fresh,
      ];
    },
    end: () => ({ items: toItems(atOnce(second().buffer.end())), removed: countKinds(removed) }),
  };
};
