import {
  addStored,
  emptyAccount,
  emptySession,
  isMuchRead,
  isTooMuch,
  READ_LIMITS,
  readLimitsOf,
  release,
  takeRead,
} from '../../../src/fleet/served/outputAccount';

const LIMITS = { maxUnstored: 10, maxUnread: 20, maxMessages: 3, maxSession: 1_000 };

const stored = (throughSeq: number, bytes: number) => ({ throughSeq, bytes, seq: 100 + throughSeq });

const MB = 1_048_576;

describe('isTooMuch', () => {
  it('counts what is on its way, what is unread, and messages', () => {
    expect(isTooMuch({ ...emptyAccount(0, emptySession()), unstored: 9 }, LIMITS)).toBe(false);
    expect(isTooMuch({ ...emptyAccount(0, emptySession()), unstored: 10 }, LIMITS)).toBe(true);
    expect(isTooMuch({ ...emptyAccount(0, emptySession()), unstored: 9, unreadBytes: 10 }, LIMITS)).toBe(false);
    expect(isTooMuch({ ...emptyAccount(0, emptySession()), unstored: 9, unreadBytes: 11 }, LIMITS)).toBe(true);
    expect(
      isTooMuch({ ...emptyAccount(0, emptySession()), unread: [1, 2, 3].map((seq) => stored(seq, 0)) }, LIMITS),
    ).toBe(true);
  });
});

describe('isTooMuch for a session', () => {
  it('counts what is unread of all its processes, for each that has a chunk or more', () => {
    const limits = { maxUnstored: 1_000_000, maxUnread: 1_000_000, maxMessages: 100, maxSession: 100_000 };
    const session = emptySession();
    const [one, other] = [70_000, 30_000].map((unstored) => ({ ...emptyAccount(0, session), unstored }));
    if (one === undefined || other === undefined) throw new Error('there are two');
    addStored(one, stored(1, 70_000), true);
    addStored(other, stored(1, 20_000), true);
    expect([isTooMuch(one, limits), isTooMuch(other, limits)]).toEqual([false, false]);
    addStored(other, stored(2, 10_000), true);
    expect([isTooMuch(one, limits), isTooMuch(other, limits)]).toEqual([true, false]);
    release(other, 1);
    expect([isTooMuch(one, limits), session.unreadBytes]).toEqual([false, 80_000]);
  });
});

describe('release', () => {
  it('takes whole messages off, through a seq, whose messages may be removed', () => {
    const account = { ...emptyAccount(0, emptySession()), unstored: 12 };
    for (const seq of [2, 5, 9]) addStored(account, stored(seq, 4), true);
    expect(account).toMatchObject({ unstored: 0, unreadBytes: 12, read: [] });
    release(account, 1);
    expect(account).toMatchObject({ unreadBytes: 12, read: [], readBytes: 0 });
    release(account, 6);
    expect(account).toMatchObject({ unreadBytes: 4, read: [102, 105], readBytes: 8, unread: [stored(9, 4)] });
    release(account, 9);
    expect(account).toMatchObject({ unreadBytes: 0, read: [102, 105, 109], readBytes: 12, unread: [] });
  });
});

describe('addStored', () => {
  it('counts nothing as unread that its reader acknowledged before it was known to be stored', () => {
    const account = { ...emptyAccount(0, emptySession()), unstored: 4 };
    release(account, 7);
    addStored(account, stored(5, 4), true);
    expect(account).toMatchObject({ unstored: 0, unreadBytes: 0, read: [105], readBytes: 4 });
  });

  it('counts nothing as unread if nobody acknowledges', () => {
    const account = { ...emptyAccount(0, emptySession()), unstored: 4 };
    addStored(account, stored(1, 4), false);
    expect(account).toEqual(emptyAccount(0, emptySession()));
  });
});

describe('takeRead', () => {
  it('takes what was read of one process off the totals of the executor', () => {
    const read = { bytes: 0, messages: 0 };
    const [one, other] = [emptyAccount(0, emptySession(read)), emptyAccount(0, emptySession(read))];
    for (const [account, bytes] of [
      [one, 4],
      [other, 6],
    ] as const)
      addStored(account, stored(1, bytes), true);
    expect(read).toEqual({ bytes: 0, messages: 0 });
    release(one, 1);
    release(other, 1);
    expect(read).toEqual({ bytes: 10, messages: 2 });
    takeRead(one);
    expect(read).toEqual({ bytes: 6, messages: 1 });
  });

  it('gives each number once', () => {
    const account = { ...emptyAccount(0, emptySession()), unstored: 8 };
    for (const seq of [2, 5]) addStored(account, stored(seq, 4), true);
    release(account, 5);
    expect([takeRead(account), takeRead(account), account.readBytes]).toEqual([[102, 105], [], 0]);
  });
});

describe('readLimitsOf', () => {
  it.each([
    ['without a limit of the stream', 0, 128 * MB],
    ['of a large stream', 4_096 * MB, 128 * MB],
    ['of a small stream, an eighth', 64 * MB, 8 * MB],
  ])('is a number of bytes %s', (_, maxStreamBytes, bytes) => {
    expect(readLimitsOf(maxStreamBytes)).toEqual({ ...READ_LIMITS, bytes });
  });
});

describe('isMuchRead', () => {
  it.each([
    ['nothing', { bytes: 0, messages: 0 }, false],
    ['less than either limit', { bytes: 9, messages: 3 }, false],
    ['as many bytes', { bytes: 10, messages: 2 }, true],
    ['as many messages', { bytes: 2, messages: 4 }, true],
  ])('counts %s', (_, read, expected) => {
    expect(isMuchRead(read, { bytes: 10, messages: 4 })).toBe(expected);
  });
});
