/** How much output is on its way to the stream or unread in it, and when what was read is removed. Changes in place, as chunks are counted. */
import { Subject } from 'rxjs';
import type { Stored } from './storeEvents';

/** The output of all processes of an executor that was read and may be removed; it changes in place. */
export type ReadTotals = { bytes: number; messages: number };

/** The unread output of all processes of a session; it changes in place. */
export type SessionAccount = {
  unreadBytes: number;
  /** Emits when `unreadBytes` is below the limit again. */
  drain$: Subject<void>;
  /** Totals of the executor. */
  read: ReadTotals;
};

/** The account of a session that has nothing stored. */
export const emptySession = (read: ReadTotals = { bytes: 0, messages: 0 }): SessionAccount => ({
  unreadBytes: 0,
  drain$: new Subject(), // the wire from readers to the processes that wait
  read,
});

/** The output of one process. */
export type OutputAccount = {
  /** Bytes on their way to the stream. */
  unstored: number;
  /** Messages that are stored and not acknowledged. */
  unread: Stored[];
  /** Bytes of output in `unread`. */
  unreadBytes: number;
  /** Sequences of messages that may be removed. */
  read: number[];
  /** Bytes of output in `read`. */
  readBytes: number;
  /** The reader has all events through this number, possibly before we know that they are stored. */
  acknowledged: number;
  /** All messages that the reader does not have come after this sequence of the stream. */
  passed: number;
  /** A message is on its way. */
  isSending: boolean;
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
  isSending: false,
  session,
  read: [],
  readBytes: 0,
  acknowledged: 0,
});

/** True if the process has to wait. */
export const isTooMuch = ({ unstored, unread, unreadBytes, session }: OutputAccount, limits: AccountLimits): boolean =>
  unstored >= limits.maxUnstored ||
  unstored + unreadBytes >= limits.maxUnread ||
  unread.length >= limits.maxMessages ||
  (session.unreadBytes >= limits.maxSession && unstored + unreadBytes >= CHUNK_BYTES);

/** The stream has a message; it counts as unread if its reader acknowledges. */
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

/** How much read output of all processes may lie in the stream. */
export type ReadLimits = ReadTotals;

export const READ_LIMITS: ReadLimits = { bytes: 134_217_728, messages: 1_024 };

/** What was read takes at most an eighth of a stream that has a limit; 0 means that it has none. */
export const readLimitsOf = (maxStreamBytes: number): ReadLimits =>
  maxStreamBytes === 0 ? READ_LIMITS : { ...READ_LIMITS, bytes: Math.min(READ_LIMITS.bytes, maxStreamBytes / 8) };

/** True if it is time to remove what was read. */
export const isMuchRead = ({ bytes, messages }: ReadTotals, limits: ReadLimits): boolean =>
  bytes >= limits.bytes || messages >= limits.messages;
