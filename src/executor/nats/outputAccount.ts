/** How much output of a process is on its way to the stream, and how much lies there unread. It changes in place, for each chunk is counted. */
import type { Stored } from './storeEvents';

/**
 * `unstored` bytes are on their way. `unread` messages are stored and not acknowledged, with `unreadBytes` of output. Those with the stream's numbers `read` may be
 * removed; they have `readBytes`. The reader has all events through `acknowledged`: that may be more than we know to be stored. All messages of the process after those that the
 * reader has are behind `passed` in the stream.
 */
export type OutputAccount = {
  unstored: number;
  unread: Stored[];
  unreadBytes: number;
  read: number[];
  readBytes: number;
  acknowledged: number;
  passed: number;
};

/** A process waits beyond `maxUnstored` bytes on their way, and beyond `maxUnread` bytes or `maxMessages` that nobody acknowledged. */
export type AccountLimits = { maxUnstored: number; maxUnread: number; maxMessages: number };

/** The account of a process that has written nothing; the stream's last message has the number `passed`, or a greater one. */
export const emptyAccount = (passed: number): OutputAccount => ({
  ...{ unstored: 0, unread: [], unreadBytes: 0, passed },
  ...{ read: [], readBytes: 0, acknowledged: 0 },
});

/** Whether the process has to wait. */
export const isTooMuch = ({ unstored, unread, unreadBytes }: OutputAccount, limits: AccountLimits): boolean =>
  unstored >= limits.maxUnstored || unstored + unreadBytes >= limits.maxUnread || unread.length >= limits.maxMessages;

/** The stream has a message; it counts as unread where its reader acknowledges. */
export const addStored = (account: OutputAccount, stored: Stored, isHeld: boolean): void => {
  account.unstored -= stored.bytes;
  if (!isHeld) return;
  account.unread.push(stored);
  account.unreadBytes += stored.bytes;
  release(account, account.acknowledged);
};

/** The reader has all events through `seq`. */
export const release = (account: OutputAccount, seq: number): void => {
  const { unread } = account;
  account.acknowledged = Math.max(account.acknowledged, seq);
  const count = unread.findIndex(({ throughSeq }) => throughSeq > account.acknowledged);
  for (const stored of unread.splice(0, count < 0 ? unread.length : count)) {
    account.unreadBytes -= stored.bytes;
    account.readBytes += stored.bytes;
    account.read.push(stored.seq);
    account.passed = Math.max(account.passed, stored.seq);
  }
};

/** The stream's numbers of the messages that may be removed; they are forgotten here. */
export const takeRead = (account: OutputAccount): number[] => {
  account.readBytes = 0;
  return account.read.splice(0);
};
