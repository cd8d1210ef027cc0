/** Retains the output of processes in memory, and stores their events in a stream, where any client can read them. */
import {
  catchError,
  EMPTY,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  Subject,
  tap,
} from 'rxjs';
import type { OpenStore, Retained } from '../../executor/local/retention';
import type { StoredEvent } from '../../executor/storedEvent';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import { joinBackpressure } from '../../streams/backpressure';
import type { UnreadReport } from '../executor/unreadReport';
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
  type Removal,
  release,
  type SessionAccount,
  type StreamNeeds,
  streamNeeds,
  takeRead,
} from './outputAccount';
import { bytesOf, type StoreDeps, type Stored, storeEvents } from './storeEvents';

type PublishDeps = Pick<StoreDeps, 'append' | 'messageBytes'> & {
  /** Removes messages that nobody needs from the stream. After an error nothing is removed any more. */
  remove: (removal: Removal) => Observable<unknown>;
  limits: AccountLimits;
  readLimits: ReadLimits;
};

export type PublishedOutput = {
  /** Opens the stores of the processes of a session, around stores that keep output in memory; `subjectOf` names a process. */
  storeFor: (inner: OpenStore, subjectOf: (processId: string) => string) => OpenStore;
  /** Takes the sequences of the messages that nobody needs any more. */
  takeRead: () => Removal;
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
  const needs = streamNeeds(() => [...entries].map(({ account }) => account));
  const opened$ = new Subject<PublishedEntry>(); // the wire from processes to the stream
  const remove$ = new Subject<number[]>(); // the wire from readers to the stream
  const settle = (entry: PublishedEntry): void => settleEntry(entry, { entries, remove$, readLimits });
  const add = (entry: PublishedEntry, inner: OpenStore): Retained => {
    entries.add(entry);
    opened$.next(entry);
    return toRetained({ entry, kept: inner({}), limits, settle });
  };
  const store$ = opened$.pipe(
    mergeMap((entry) => storing({ ...store, entry, limits, needs }).pipe(finalize(() => settle(entry)))),
  );
  return {
    storeFor: (inner, subjectOf) => {
      const session = emptySession(read);
      return ({ processId, holdOutput = false }) => {
        if (processId === undefined) return inner({});
        const named = { subject: subjectOf(processId), holdsOutput: holdOutput }; // throws for an id that is none
        return add(openEntry(named, needs.lastSeq(), session), inner);
      };
    },
    takeRead: () => needs.removalOf(takeAllRead(entries)),
    report: (begin) => reportOf([...entries].filter(startsWith(begin)), needs.lastSeq()),
    run$: merge(store$, remove$.pipe(map(needs.removalOf), removeRead(remove))).pipe(ignoreElements()),
  };
};

type Storing = Omit<StoreDeps, 'subject'> & { entry: PublishedEntry; limits: AccountLimits; needs: StreamNeeds };

/** Stores the events of a process, and counts them. */
const storing = ({ append, messageBytes, entry, limits, needs }: Storing): Observable<Stored> => {
  const { account, event$, subject, holdsOutput } = entry;
  const appendNoted: StoreDeps['append'] = (message) => {
    needs.noteSending(account);
    return append(message);
  };
  return event$.pipe(
    storeEvents({ append: appendNoted, messageBytes, subject }),
    tap((stored) => {
      needs.noteStored(account, { seq: stored.seq, isKept: !holdsOutput });
      changeAccount(entry, limits, () => addStored(account, stored, holdsOutput));
    }),
  );
};

const startsWith =
  (begin: string) =>
  ({ subject }: PublishedEntry): boolean =>
    subject.startsWith(begin);

const removeRead =
  (remove: PublishDeps['remove']): OperatorFunction<Removal, never> =>
  (removal$) =>
    removal$.pipe(
      mergeMap(remove),
      ignoreElements(),
      catchError(() => EMPTY),
    );

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
 * close have no bytes, and their acknowledgement may have been lost, so a message that was sent (`sentAfter`) counts too.
 */
const isBehind = ({ holdsOutput, account: { unread, unstored, sentAfter } }: PublishedEntry): boolean =>
  !holdsOutput || unread.length > 0 || unstored > 0 || sentAfter !== undefined;

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
  const isRead =
    entry.isOver && account.sentAfter === undefined && account.unstored === 0 && account.unread.length === 0;
  if (isRead) entries.delete(entry);
  if (isRead && account.read.length > 0) remove$.next(takeRead(account));
  if (isMuchRead(account.session.read, readLimits)) remove$.next(takeAllRead(entries));
};

/** Takes the sequences of all messages that may be removed out of the accounts. */
const takeAllRead = (entries: ReadonlySet<PublishedEntry>): number[] =>
  [...entries].flatMap(({ account }) => takeRead(account));
