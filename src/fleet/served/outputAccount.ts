/** How much output of a process is on its way to the stream, and how much lies there unread. It changes in place, as each chunk is counted. */
import { Subject } from 'rxjs';
import type { Stored } from './storeEvents';

/** The output of all processes of an executor that was read and may be removed; it changes in place. */
export type ReadTotals = { bytes: number; messages: number };

/** The unread output of all processes of a session; it changes in place. `drain$` emits when it is below the limit again. `read` is that of the executor. */
export type SessionAccount = { unreadBytes: number; drain$: Subject<void>; read: ReadTotals };

/** The account of a session that has nothing stored. */
export const emptySession = (read: ReadTotals = { bytes: 0, messages: 0 }): SessionAccount => ({
  unreadBytes: 0,
  drain$: new Subject(), // the wire from readers to the processes that wait
  read,
});

/**
 * - `unstored`: bytes on their way to the stream
 * - `unread`: messages that are stored and not acknowledged, with `unreadBytes` of output
 * - `read`: sequences of messages that may be removed, with `readBytes`
 * - `acknowledged`: the reader has all events through this number, which may be ahead of what we know to be stored
 * - `sentAfter`: set while a message is on its way: when it was sent, the last sequence of the stream was this or a greater one; 0 where that is not known
 * - `passed`: all messages that the reader does not have are after this sequence of the stream
 */
export type OutputAccount = {
  unstored: number;
  unread: Stored[];
  unreadBytes: number;
  read: number[];
  readBytes: number;
  acknowledged: number;
  passed: number;
  sentAfter: number | undefined;
  session: SessionAccount;
};

/**
 * A process waits beyond `maxUnstored` bytes on their way, and beyond `maxUnread` bytes or `maxMessages` that are not acknowledged.
 * Beyond `maxSession` bytes of its session, each process with a chunk or more waits: a NATS server slows publishers when 48 MB wait for
 * one connection, so a stopped client would slow the executor for all others.
 */
export type AccountLimits = { maxUnstored: number; maxUnread: number; maxMessages: number; maxSession: number };

const CHUNK_BYTES = 65_536;

/** The account of a process that has written nothing; the stream's last message has the number `passed`, or a greater one. */
export const emptyAccount = (passed: number, session: SessionAccount): OutputAccount => ({
  unstored: 0,
  unread: [],
  unreadBytes: 0,
  passed,
  sentAfter: undefined,
  session,
  read: [],
  readBytes: 0,
  acknowledged: 0,
});

/** Whether the process has to wait. */
export const isTooMuch = ({ unstored, unread, unreadBytes, session }: OutputAccount, limits: AccountLimits): boolean =>
  unstored >= limits.maxUnstored ||
  unstored + unreadBytes >= limits.maxUnread ||
  unread.length >= limits.maxMessages ||
  (session.unreadBytes >= limits.maxSession && unstored + unreadBytes >= CHUNK_BYTES);

/** The stream has a message; it counts as unread where its reader acknowledges. */
export const addStored = (account: OutputAccount, stored: Stored, holdsOutput: boolean): void => {
  account.unstored -= stored.bytes;
  if (!holdsOutput) return;
  account.unread.push(stored);
  account.unreadBytes += stored.bytes;
  account.session.unreadBytes += stored.bytes;
  release(account, account.acknowledged);
};

/** The reader has all events through `seq`. */
export const release = (account: OutputAccount, seq: number): void => {
  const { unread } = account;
  account.acknowledged = Math.max(account.acknowledged, seq);
  const count = unread.findIndex(({ throughSeq }) => throughSeq > account.acknowledged);
  for (const stored of unread.splice(0, count < 0 ? unread.length : count)) {
    account.unreadBytes -= stored.bytes;
    account.session.unreadBytes -= stored.bytes;
    account.readBytes += stored.bytes;
    account.read.push(stored.seq);
    account.session.read.bytes += stored.bytes;
    account.session.read.messages += 1;
    account.passed = Math.max(account.passed, stored.seq);
  }
};

/** Takes the sequences of the messages that may be removed out of the account. */
export const takeRead = (account: OutputAccount): number[] => {
  account.session.read.bytes -= account.readBytes;
  account.session.read.messages -= account.read.length;
  account.readBytes = 0;
  return account.read.splice(0);
};
