/** Retains the output of processes in memory, and stores their events in a stream, where any client can read them. */
import { catchError, EMPTY, finalize, ignoreElements, merge, mergeMap, type Observable, Subject, tap } from 'rxjs';
import type { StoredEvent } from '../../executor/backend';
import type { OpenStore, Retained } from '../../executor/local/retention';
import type { ProcessEvent } from '../../protocol/exec/process';
import { type Backpressure, joinBackpressure } from '../../streams/backpressure';
import type { UnreadReport } from '../executor/member';
import { fromToken, lastToken } from '../link/tokens';
import {
  type AccountLimits,
  addStored,
  emptyAccount,
  emptySession,
  isMuchRead,
  isTooMuch,
  type OutputAccount,
  type ReadLimits,
  type ReadTotals,
  release,
  type SessionAccount,
  takeRead,
} from './outputAccount';
import { bytesOf, type StoreDeps, type Stored, storeEvents } from './storeEvents';

type PublishDeps = Pick<StoreDeps, 'append' | 'messageBytes'> & {
  /** Removes the messages with these sequences from the stream. After an error nothing is removed any more. */
  remove: (seqs: readonly number[]) => Observable<unknown>;
  limits: AccountLimits;
  readLimits: ReadLimits;
};

export type PublishedOutput = {
  /** Opens the stores of the processes of a session, around stores that keep output in memory; `subjectOf` names a process. */
  storeFor: (inner: OpenStore, subjectOf: (processId: string) => string) => OpenStore;
  /** Takes the sequences of the messages that nobody needs any more. */
  takeRead: () => number[];
  /** Lists what is unread of the processes whose subjects begin with a text. */
  report: (subjectsBegin: string) => UnreadReport;
  /** Does the storing; emits nothing. It belongs to the server, so that output outlives its session. */
  run$: Observable<never>;
};

/** What a process may have on its way to the stream, and unread in it. */
export const ACCOUNT_LIMITS: AccountLimits = {
  maxUnstored: 1_048_576,
  maxUnread: 4_194_304,
  maxMessages: 4_096,
  maxSession: 16_777_216,
};

/** Nothing is stored before `run$` is subscribed to. */
export const publishedOutput = ({ remove, limits, readLimits, ...store }: PublishDeps): PublishedOutput => {
  const entries = new Set<PublishedEntry>();
  const read: ReadTotals = { bytes: 0, messages: 0 };
  let lastSeq = 0; // of the stream, as far as it has acknowledged
  const opened$ = new Subject<PublishedEntry>(); // the wire from processes to the stream
  const remove$ = new Subject<number[]>(); // the wire from readers to the stream
  const settle = (entry: PublishedEntry): void => settleEntry(entry, { entries, remove$, readLimits });
  const openIn =
    (session: SessionAccount, inner: OpenStore): OpenNamed =>
    (named) => {
      const entry = openEntry(named, lastSeq, session);
      entries.add(entry);
      opened$.next(entry);
      return toRetained({ entry, kept: inner({}), limits, settle });
    };
  const store$ = opened$.pipe(
    mergeMap((entry) => storing({ ...store, entry, limits }).pipe(finalize(() => settle(entry)))),
    tap(({ seq }) => {
      lastSeq = seq;
    }),
  );
  return {
    storeFor: (inner, subjectOf) => toStores(inner, subjectOf, openIn(emptySession(read), inner)),
    takeRead: () => takeAllRead(entries),
    report: (begin) => reportOf([...entries].filter(startsWith(begin)), lastSeq),
    run$: merge(store$, remove$.pipe(mergeMap(remove), untilFailure)).pipe(ignoreElements()),
  };
};

const untilFailure = catchError<unknown, Observable<never>>(() => EMPTY);

type OpenNamed = (named: Pick<PublishedEntry, 'subject' | 'holdsOutput'>) => Retained;

/** `subjectOf` throws for an id that is none. */
const toStores =
  (inner: OpenStore, subjectOf: (processId: string) => string, open: OpenNamed): OpenStore =>
  ({ processId, holdOutput = false }) =>
    processId === undefined ? inner({}) : open({ subject: subjectOf(processId), holdsOutput: holdOutput });

type Storing = Omit<StoreDeps, 'subject'> & { entry: PublishedEntry; limits: AccountLimits };

const storing = ({ append, messageBytes, entry, limits }: Storing): Observable<Stored> => {
  const { account, event$, subject, holdsOutput } = entry;
  const appendNoted: StoreDeps['append'] = (message) => {
    account.isSending = true;
    return append(message);
  };
  return event$.pipe(
    storeEvents({ append: appendNoted, messageBytes, subject }),
    tap((stored) => {
      account.isSending = false;
      changeAccount(entry, limits, () => addStored(account, stored, holdsOutput));
    }),
  );
};

const startsWith =
  (begin: string) =>
  ({ subject }: PublishedEntry): boolean =>
    subject.startsWith(begin);

type Around = { entry: PublishedEntry; kept: Retained; limits: AccountLimits; settle: (entry: PublishedEntry) => void };

const toRetained = ({ entry, kept, limits, settle }: Around): Retained => ({
  page: kept.page,
  add: (event) => {
    kept.add(event);
    if (!isStored(event)) return;
    entry.account.unstored += bytesOf(event);
    entry.event$.next(event);
  },
  acknowledge: (seq) => {
    changeAccount(entry, limits, () => release(entry.account, seq));
    settle(entry);
  },
  backpressure: joinBackpressure(kept.backpressure, backpressureOf(entry, limits)),
  release: () => {
    kept.release();
    entry.isOver = true;
    entry.event$.complete();
  },
});

const isStored = (event: ProcessEvent): event is StoredEvent => event.kind !== 'gap' && event.kind !== 'failed';

const backpressureOf = ({ account, drain$ }: PublishedEntry, limits: AccountLimits): Backpressure => ({
  isFull: () => isTooMuch(account, limits),
  drain$: merge(drain$, account.session.drain$),
});

/** @param entries of the session's processes; @param lastSeq the number of the stream's last message, or of one before it */
export const reportOf = (entries: readonly PublishedEntry[], lastSeq: number): UnreadReport => ({
  from: Math.min(lastSeq + 1, ...entries.filter(isBehind).map(firstMissed)),
  unread: entries.flatMap(({ subject, account: { unread } }) => {
    const last = unread.at(-1);
    return last === undefined ? [] : [{ processId: fromToken(lastToken(subject)), throughSeq: last.throughSeq }];
  }),
});

/**
 * True if its reader may lack events: events that it has not acknowledged, or never acknowledges, or that are on their way to the stream. An exit and a
 * close have no bytes, and their acknowledgement may have been lost, so a message that was sent counts too.
 */
const isBehind = ({ holdsOutput, account: { unread, unstored, isSending } }: PublishedEntry): boolean =>
  !holdsOutput || unread.length > 0 || unstored > 0 || isSending;

const firstMissed = ({ account: { unread, passed } }: PublishedEntry): number => unread[0]?.seq ?? passed + 1;

/** One process: its events, and what became of them. */
export type PublishedEntry = {
  subject: string;
  account: OutputAccount;
  event$: Subject<StoredEvent>;
  drain$: Subject<void>;
  /** The reader acknowledges, so the process waits for it. */
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

type Settling = {
  /** Of all processes. */
  entries: Set<PublishedEntry>;
  /** Takes the sequences of messages that nobody needs any more. */
  remove$: Subject<number[]>;
  readLimits: ReadLimits;
};

/** Removes what was read: of a process that is over and completely read, which is forgotten, and of all processes once it is much. */
export const settleEntry = (entry: PublishedEntry, { entries, remove$, readLimits }: Settling): void => {
  const { account } = entry;
  const isRead = entry.isOver && !account.isSending && account.unstored === 0 && account.unread.length === 0;
  if (isRead) entries.delete(entry);
  if (isRead && account.read.length > 0) remove$.next(takeRead(account));
  if (isMuchRead(account.session.read, readLimits)) remove$.next(takeAllRead(entries));
};

const takeAllRead = (entries: ReadonlySet<PublishedEntry>): number[] =>
  [...entries].flatMap(({ account }) => takeRead(account));
