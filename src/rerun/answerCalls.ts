/** Answers the calls of a daemon that runs again from what was recorded. */
import { defer, filter, from, map, type Observable, of, Subject, takeWhile } from 'rxjs';
import type { Entry } from '../tape';
import type { RecordedCall, RerunPlan, Step } from './rerunPlan';

/** A response that was recorded, or that there is none for the request. */
export type Recorded = { kind: 'entry'; entry: Entry } | { kind: 'unrecorded' };

type Response = Extract<Step, { kind: 'respond' }>;

/** How calls are answered: `inOrder`, each response when its turn comes, or `atOnce`, where another seam is live. */
export type Answering = 'inOrder' | 'atOnce';

/** `ask` emits the responses to a request at a seam; `respond` gives one of them its turn; `call$` emits the calls that are made. */
export type CallAnswers = {
  ask: (seam: string, line: string) => Observable<Recorded>;
  respond: (step: Response) => void;
  call$: Observable<number>;
};

/**
 * A request takes the first recorded request of its seam that is not taken yet, one with the same key if there is one.
 * @param keyOf what of a request is compared
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
        queueMicrotask(() => call$.next(call)); // behind the subscription below
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
  return (wanted: RecordedCall): number => {
    const free = calls.flatMap(({ seam }, call) => (seam === wanted.seam && !taken.has(call) ? [call] : []));
    const same = free.find((call) => keyOf(calls[call] as RecordedCall) === keyOf(wanted));
    const call = same ?? (answering === 'inOrder' ? free[0] : undefined) ?? -1;
    taken.add(call);
    return call;
  };
};
