/** What is known of a process whose events are stored: how much is on its way, unread, or read. */
import { Subject } from 'rxjs';
import type { StoredEvent } from '../../executor/storedEvent';
import {
  type AccountLimits,
  emptyAccount,
  isTooMuch,
  type OutputAccount,
  type SessionAccount,
  takeRead,
} from './outputAccount';
import { isMuchRead, type ReadLimits } from './readLimits';

/** One process: its events, and what became of them. `holdsOutput`: its reader acknowledges, so the process waits for it. */
export type PublishedEntry = {
  subject: string;
  account: OutputAccount;
  event$: Subject<StoredEvent>;
  drain$: Subject<void>;
  holdsOutput: boolean;
  isOver: boolean;
};

/** A process that has nothing stored yet, in a stream whose last message has the number `lastSeq`, or a greater one. */
export const openEntry = (
  { subject, holdsOutput }: Pick<PublishedEntry, 'subject' | 'holdsOutput'>,
  lastSeq: number,
  session: SessionAccount,
): PublishedEntry => ({
  subject,
  holdsOutput,
  isOver: false,
  account: emptyAccount(lastSeq, session),
  event$: new Subject(), // the wire from the process
  drain$: new Subject(), // the wire to the process that waits
});

/** Changes an account, and resumes the process if it waited for that, or all processes of the session if the session was full. */
export const changeAccount = ({ account, drain$ }: PublishedEntry, limits: AccountLimits, change: () => void): void => {
  const { session } = account;
  const wasFull = isTooMuch(account, limits);
  const wasSessionFull = session.unreadBytes >= limits.maxSession;
  change();
  if (wasSessionFull && session.unreadBytes < limits.maxSession) session.drain$.next();
  else if (wasFull && !isTooMuch(account, limits)) drain$.next();
};

/** @param entries those of all processes; @param remove$ takes the numbers of messages that nobody needs any more */
export type Settling = { entries: Set<PublishedEntry>; remove$: Subject<number[]>; readLimits: ReadLimits };

/** Removes what was read: of a process that is over and completely read, which is forgotten, and of all processes once it is much. */
export const settleEntry = (entry: PublishedEntry, { entries, remove$, readLimits }: Settling): void => {
  const { account } = entry;
  const isRead =
    entry.isOver && account.sentAfter === undefined && account.unstored === 0 && account.unread.length === 0;
  if (isRead) entries.delete(entry);
  if (isRead && account.read.length > 0) remove$.next(takeRead(account));
  if (isMuchRead(account.session.read, readLimits)) remove$.next(takeAllRead(entries));
};

/** Takes the sequences of all messages that may be removed out of the accounts. */
export const takeAllRead = (entries: ReadonlySet<PublishedEntry>): number[] =>
  [...entries].flatMap(({ account }) => takeRead(account));
