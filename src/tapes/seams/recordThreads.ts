/** Records what the thread store answers to a daemon. */
import { defer, endWith, ignoreElements, map, type Observable } from 'rxjs';
import { toStream } from '../../streams/awaitable';
import { counter } from '../../streams/counter';
import { OWN_UNTIL_CLOSED, type ThreadRecord } from '../../threads/threadRecord';
import type { ResumedThread, ThreadStore } from '../../threads/threadStore';
import { type Chance, recordCalls } from '../format/seams';
import type { Tape } from '../format/tape';

/** The seams: threads that are resumed and begun; for a thread that other processes may take, its claims, its waits and its loss. */
export const THREAD_SEAMS = {
  resume: 'threads',
  begin: 'threads.begin',
  claim: 'threads.claim',
  endTurn: 'threads.endTurn',
  rest: 'threads.rest',
  lost: 'threads.lost',
} as const;

/** The name under which it is recorded whether a thread can be read again. */
export const KEPT_DRAW = 'threadKept';
/** The name under which it is recorded whether another process has continued a thread, for a store that answers at once. */
export const CLAIM_DRAW = 'threadClaim';

type Call = <A>(seam: keyof typeof THREAD_SEAMS, ref: string, answer$: Observable<A>) => Observable<A>;

/** The store, recorded. A resumed thread is written with its history; of other answers only what the daemon needs. */
export const recordThreads = (tape: Tape, chance: Chance) => {
  const counters = new Map(Object.values(THREAD_SEAMS).map((seam) => [seam, counter()]));
  const call: Call = (kind, ref, answer$) => {
    const seam = THREAD_SEAMS[kind];
    const newCall = counters.get(seam) as () => number;
    const own = { tape, seam, newCall, toRequestLine: JSON.stringify, toResponseLine: toLine };
    return recordCalls(own, () => answer$)(ref);
  };
  const recorded = recordRecord(call, chance);
  return (open: () => ThreadStore) => (): ThreadStore => {
    const store = open();
    return {
      ...store,
      begin: (start) =>
        call(
          'begin',
          start.id,
          defer(() => toStream(store.begin(start))),
        ).pipe(map((record) => recorded(start.id, record))),
      resume: (ref) =>
        call('resume', ref, store.resume(ref)).pipe(
          map((stored) => ({ ...stored, record: recorded(ref, stored.record) })),
        ),
    };
  };
};

/** A thread that stays with its process waits for nobody and is never lost. */
const recordRecord =
  (call: Call, chance: Chance) =>
  (ref: string, record: ThreadRecord): ThreadRecord => {
    const isKept = chance(KEPT_DRAW, record.isKept);
    if (record.claim === OWN_UNTIL_CLOSED.claim) return { ...record, isKept };
    if (record.answersAtOnce) return { ...record, isKept, claim: chance(CLAIM_DRAW, record.claim) };
    const over = (kind: 'endTurn' | 'rest') =>
      call(kind, ref, record[kind]().pipe(endWith(null))).pipe(ignoreElements());
    return {
      ...record,
      isKept,
      claim: () => call('claim', ref, toStream(record.claim())),
      endTurn: () => over('endTurn'),
      rest: () => over('rest'),
      lost$: call('lost', ref, record.lost$),
    };
  };

/** An answer without its `record`, which holds functions. */
const toLine = (answer: unknown): string => {
  if (!isStored(answer)) return JSON.stringify(typeof answer === 'string' ? answer : null);
  const { record: _record, ...stored } = answer;
  return JSON.stringify(stored);
};

const isStored = (answer: unknown): answer is ResumedThread =>
  typeof answer === 'object' && answer !== null && 'record' in answer;
