/** Retains the output of processes as ever, and stores their events in a stream, where any client can read them. */
import {
  catchError,
  EMPTY,
  finalize,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  Subject,
  tap,
} from 'rxjs';
import type { OpenStore, Retained, StoredEvent } from '../../executor';
import type { ProcessEvent } from '../../protocol/exec';
import { type Backpressure, joinBackpressure } from '../../streams';
import {
  type AccountLimits,
  addStored,
  emptyAccount,
  isTooMuch,
  type OutputAccount,
  release,
  takeRead,
} from './outputAccount';
import { bytesOf, type StoreDeps, storeEvents } from './storeEvents';

/** @param remove removes the messages with these numbers of the stream; where it errors, nothing is removed any more */
export type PublishDeps = Pick<StoreDeps, 'append' | 'messageBytes'> & {
  remove: (seqs: readonly number[]) => Observable<unknown>;
  limits?: AccountLimits;
};

/**
 * `storeFor` opens the stores of a session's processes, around those that keep output in memory; `subjectOf` names a process. `run$` stores, emits nothing,
 * and belongs to the server: what a process wrote is stored though its session is over. `takeRead` emits the numbers of the messages that nobody needs any more, once.
 */
export type PublishedOutput = {
  storeFor: (inner: OpenStore, subjectOf: (processId: string) => string) => OpenStore;
  takeRead: () => number[];
  run$: Observable<never>;
};

/** What a process may have on its way to the stream, and unread in it. */
export const ACCOUNT_LIMITS: AccountLimits = { maxUnstored: 1_048_576, maxUnread: 16_777_216, maxMessages: 4_096 };

/** Messages that were read are removed when there are so many of them. */
const REMOVED = { bytes: 33_554_432, messages: 1_024 };

/** One process: its events, and what became of them. A reader is waited for only where it acknowledges: `isHeld`. */
type Entry = {
  subject: string;
  account: OutputAccount;
  event$: Subject<StoredEvent>;
  drain$: Subject<void>;
  isHeld: boolean;
  isOver: boolean;
};

/** Makes it. Nothing is stored before `run$` is subscribed to. */
export const publishedOutput = ({ remove, limits = ACCOUNT_LIMITS, ...store }: PublishDeps): PublishedOutput => {
  const entries = new Set<Entry>();
  const opened$ = new Subject<Entry>(); // the wire from processes to the stream
  const remove$ = new Subject<number[]>(); // the wire from readers to the stream
  const settle = (entry: Entry): void => settleEntry(entry, { entries, remove$ });
  const store$ = opened$.pipe(
    mergeMap((entry) =>
      entry.event$.pipe(
        storeEvents({ ...store, subject: entry.subject }),
        tap((stored) => changed(entry, limits, () => addStored(entry.account, stored, entry.isHeld))),
        finalize(() => settle(entry)),
      ),
    ),
  );
  return {
    storeFor: (inner, subjectOf) => (spec) => {
      if (spec.processId === undefined) return inner({});
      const entry = open(subjectOf(spec.processId), spec.holdOutput === true); // throws for an id that is none
      const kept = inner({});
      entries.add(entry);
      opened$.next(entry);
      return toRetained({ entry, kept, limits, settle });
    },
    takeRead: () => [...entries].flatMap(({ account }) => takeRead(account)),
    run$: merge(store$, remove$.pipe(removeRead(remove))).pipe(ignoreElements()),
  };
};

const removeRead =
  (remove: PublishDeps['remove']): OperatorFunction<number[], never> =>
  (seqs$) =>
    seqs$.pipe(
      mergeMap(remove),
      ignoreElements(),
      catchError(() => EMPTY),
    );

const open = (subject: string, isHeld: boolean): Entry => ({
  ...{ subject, isHeld, isOver: false, account: emptyAccount() },
  event$: new Subject(), // the wire from the process
  drain$: new Subject(), // the wire to the process that waits
});

/** Changes an account, and lets the process go on that waited for it. */
const changed = ({ account, drain$ }: Entry, limits: AccountLimits, change: () => void): void => {
  const wasFull = isTooMuch(account, limits);
  change();
  if (wasFull && !isTooMuch(account, limits)) drain$.next();
};

type Settling = { entries: Set<Entry>; remove$: Subject<number[]> };

/** Removes what was read, where it is much or all; forgets a process that is over and read. */
const settleEntry = (entry: Entry, { entries, remove$ }: Settling): void => {
  const { account } = entry;
  const isRead = entry.isOver && account.unstored === 0 && account.unread.length === 0;
  if (isRead) entries.delete(entry);
  const isMuch = account.readBytes >= REMOVED.bytes || account.read.length >= REMOVED.messages;
  if (account.read.length > 0 && (isMuch || isRead)) remove$.next(takeRead(account));
};

type Around = { entry: Entry; kept: Retained; limits: AccountLimits; settle: (entry: Entry) => void };

const toRetained = ({ entry, kept, limits, settle }: Around): Retained => ({
  page: kept.page,
  add: (event) => {
    kept.add(event);
    if (!isStored(event)) return;
    entry.account.unstored += bytesOf(event);
    entry.event$.next(event);
  },
  acknowledge: (seq) => {
    changed(entry, limits, () => release(entry.account, seq));
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

const backpressureOf = ({ account, drain$ }: Entry, limits: AccountLimits): Backpressure => ({
  isFull: () => isTooMuch(account, limits),
  drain$,
});
