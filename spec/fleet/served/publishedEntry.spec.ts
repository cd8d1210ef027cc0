import { Subject } from 'rxjs';
import { addStored, emptySession, release } from '../../../src/fleet/served/outputAccount';
import { changeAccount, openEntry, type PublishedEntry, settleEntry } from '../../../src/fleet/served/publishedOutput';

type Account = Partial<PublishedEntry['account']>;

/** A process with this account, and what settling it removes. */
const settled = (own: Account, isOver: boolean, ofOther: Account = {}) => {
  const totals = { bytes: 0, messages: 0 }; // of two sessions together
  const entry = { ...openEntry({ subject: 's.p', holdsOutput: true }, 0, emptySession(totals)), isOver };
  Object.assign(entry.account, own);
  const other = openEntry({ subject: 's.q', holdsOutput: true }, 0, emptySession(totals));
  Object.assign(other.account, ofOther);
  for (const { account } of [entry, other]) {
    totals.bytes += account.readBytes;
    totals.messages += account.read.length;
  }
  const entries = new Set([entry, other]);
  const removed: number[][] = [];
  const remove$ = new Subject<number[]>();
  remove$.subscribe((seqs) => removed.push(seqs));
  settleEntry(entry, { entries, remove$, readLimits: { bytes: 100, messages: 4 } });
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
    ['one whose end is on its way', { sentAfter: 0 }, true],
    ['one that has unread output', { unread: [stored] }, true],
    ['one that runs, of which little was read', { read: [7], readBytes: 99 }, false],
  ])('keeps %s', (_, account, isOver) => {
    expect(settled(account, isOver)).toEqual(KNOWN);
  });

  it('removes what was read of all processes while they run, where it is much', () => {
    expect(settled({ read: [7], readBytes: 100 }, false)).toEqual({ ...KNOWN, removed: [[7]] });
    expect(settled({ read: [1, 2, 3, 4] }, false)).toEqual({ ...KNOWN, removed: [[1, 2, 3, 4]] });
    expect(settled({ read: [7], readBytes: 60 }, false, { read: [8], readBytes: 40 })).toEqual({
      ...KNOWN,
      removed: [[7, 8]],
    });
  });
});

describe('changeAccount', () => {
  it.each([
    ['lets a process go on when it had to wait, and no longer has to', 10, 9, 1],
    ['wakes none that still has to wait', 12, 10, 0],
    ['wakes none that did not wait', 9, 8, 0],
    ['wakes none that has to wait from now on', 9, 10, 0],
  ])('%s', (_, before, after, drains) => {
    const entry = openEntry({ subject: 's.p', holdsOutput: false }, 0, emptySession());
    let drained = 0;
    entry.drain$.subscribe(() => {
      drained += 1;
    });
    entry.account.unstored = before;
    changeAccount(entry, { maxUnstored: 10, maxUnread: 100, maxMessages: 100, maxSession: 1_000 }, () => {
      entry.account.unstored = after;
    });
    expect(drained).toBe(drains);
  });

  it('lets all processes of a session go on when little of it is unread again', () => {
    const limits = { maxUnstored: 1_000_000, maxUnread: 1_000_000, maxMessages: 100, maxSession: 100_000 };
    const session = emptySession();
    const entry = openEntry({ subject: 's.p', holdsOutput: true }, 0, session);
    const drains: string[] = [];
    session.drain$.subscribe(() => drains.push('session'));
    entry.drain$.subscribe(() => drains.push('process'));
    const store = (seq: number) => () => addStored(entry.account, { seq, throughSeq: seq, bytes: 60_000 }, true);
    for (const seq of [1, 2]) changeAccount(entry, limits, store(seq));
    expect(drains).toEqual([]);
    changeAccount(entry, limits, () => release(entry.account, 1));
    changeAccount(entry, limits, () => release(entry.account, 2));
    expect(drains).toEqual(['session']);
  });
});
