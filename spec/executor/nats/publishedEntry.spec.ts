import { Subject } from 'rxjs';
import { changeAccount, openEntry, type PublishedEntry, settleEntry } from '../../../src/executor/nats/publishedEntry';

/** A process with this account, and what settling it removes. */
const settled = (own: Partial<PublishedEntry['account']>, isOver: boolean) => {
  const entry = { ...openEntry('s.p', true, 0), isOver };
  Object.assign(entry.account, own);
  const entries = new Set([entry, openEntry('s.q', true, 0)]);
  const removed: number[][] = [];
  const remove$ = new Subject<number[]>();
  remove$.subscribe((seqs) => removed.push(seqs));
  settleEntry(entry, { entries, remove$ });
  return { isKnown: entries.has(entry), others: entries.size - Number(entries.has(entry)), removed };
};
const stored = { seq: 9, bytes: 1, throughSeq: 3 };
const KNOWN = { isKnown: true, others: 1, removed: [] };

describe('settleEntry', () => {
  it('forgets a process that is over and read, and removes what was', () => {
    expect(settled({}, true)).toEqual({ isKnown: false, others: 1, removed: [] });
    expect(settled({ read: [7, 8] }, true)).toEqual({ isKnown: false, others: 1, removed: [[7, 8]] });
  });

  it.each([
    ['one that runs', {}, false],
    ['one that has output on its way', { unstored: 1 }, true],
    ['one that has unread output', { unread: [stored] }, true],
    ['one that runs, of which little was read', { read: [7], readBytes: 33_554_431 }, false],
  ])('keeps %s', (_, account, isOver) => {
    expect(settled(account, isOver)).toEqual(KNOWN);
  });

  it('removes much that was read while the process runs', () => {
    expect(settled({ read: [7], readBytes: 33_554_432 }, false)).toEqual({ ...KNOWN, removed: [[7]] });
    const read = Array.from({ length: 1_024 }, (_, i) => i);
    expect(settled({ read: [...read] }, false)).toEqual({ ...KNOWN, removed: [read] });
    expect(settled({ read: read.slice(1) }, false)).toEqual(KNOWN);
  });
});

describe('changeAccount', () => {
  it.each([
    ['lets a process go on when it had to wait, and no longer has to', 10, 9, 1],
    ['wakes none that still has to wait', 12, 10, 0],
    ['wakes none that did not wait', 9, 8, 0],
    ['wakes none that has to wait from now on', 9, 10, 0],
  ])('%s', (_, before, after, drains) => {
    const entry = openEntry('s.p', false, 0);
    let drained = 0;
    entry.drain$.subscribe(() => {
      drained += 1;
    });
    entry.account.unstored = before;
    changeAccount(entry, { maxUnstored: 10, maxUnread: 100, maxMessages: 100 }, () => {
      entry.account.unstored = after;
    });
    expect(drained).toBe(drains);
  });
});
