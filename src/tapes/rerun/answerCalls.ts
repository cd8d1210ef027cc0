/** Answers the calls of a daemon that runs again from what was recorded. */
import { defer, filter, from, map, type Observable, of, Subject, takeWhile } from 'rxjs';
import type { Entry } from '../format/tape';
import type { PlannedStep, RecordedCall, RerunPlan } from './rerunPlan';

/** A response that was recorded, or that there is none for the request. */
export type Recorded = { kind: 'entry'; entry: Entry } | { kind: 'unrecorded' };

type Response = Extract<PlannedStep, { kind: 'respond' }>;

/** How calls are answered: `inOrder`, each response when its turn comes, or `atOnce`, where another seam is live. */
export type Answering = 'inOrder' | 'atOnce';

/** `ask` emits the responses to a request at a seam; `respond` gives one of them its turn; `call$` emits the calls that are made. */
export type CallAnswers = {
  ask: (seam: string, line: string) => Observable<Recorded>;
  respond: (step: Response) => void;
  call$: Observable<number>;
};

/**
 * A request takes the first recorded request of its seam with the same key that is not taken yet; `inOrder`, where there is none, the first of
 * any key. @param keyOf the part of a request that is compared
 */
export const answerCalls = (
  plan: RerunPlan,
  answering: Answering,
  keyOf: (call: RecordedCall) => string,
): CallAnswers => {
  const call$ = new Subject<number>(); // the wire from the engine to the order of the steps
  const response$ = new Subject<Response>(); // the wire from that order to the engine
  const responses = plan.steps.filter((step) => step.kind === 'respond');
  const take = taking(plan, answering, keyOf);
  return {
    call$,
    respond: (step) => response$.next(step),
    ask: (seam, line) =>
      defer(() => {
        const call = take({ seam, line });
        if (call === -1) return of<Recorded>({ kind: 'unrecorded' });
        if (answering === 'atOnce') return from(responses.filter((one) => one.call === call)).pipe(map(toRecorded));
        queueMicrotask(() => call$.next(call)); // after the subscription below
        return response$.pipe(
          filter((one) => one.call === call),
          takeWhile(({ isLast }) => !isLast, true),
          map(toRecorded),
        );
      }),
  };
};

const toRecorded = ({ entry }: Response): Recorded => ({ kind: 'entry', entry });

/** Takes the recorded call for one that is made; -1 where there is none. */
const taking = ({ calls }: RerunPlan, answering: Answering, keyOf: (call: RecordedCall) => string) => {
  const taken = new Set<number>();
  const alike = queues(calls, (call) => JSON.stringify([call.seam, keyOf(call)]));
  const ofSeam = queues(calls, ({ seam }) => seam);
  const first = (queue: number[] = []): number | undefined => {
    while (queue[0] !== undefined && taken.has(queue[0])) queue.shift(); // taken as one of the other queue
    return queue[0];
  };
  return (wanted: RecordedCall): number => {
    const same = first(alike.get(JSON.stringify([wanted.seam, keyOf(wanted)])));
    const call = same ?? (answering === 'inOrder' ? first(ofSeam.get(wanted.seam)) : undefined) ?? -1;
    taken.add(call);
    return call;
  };
};

/** The places of calls by a name, in order: a tape may hold ten thousand. */
const queues = (calls: readonly RecordedCall[], nameOf: (call: RecordedCall) => string): Map<string, number[]> => {
  const found = new Map<string, number[]>();
  calls.forEach((call, at) => {
    const queue = found.get(nameOf(call));
    if (queue === undefined) found.set(nameOf(call), [at]);
    else queue.push(at);
  });
  return found;
};
