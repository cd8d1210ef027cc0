/** Answers the calls of a daemon that runs again from what was recorded. */
import {
  asapScheduler,
  connect,
  defer,
  EMPTY,
  endWith,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  observeOn,
  of,
  Subject,
  takeUntil,
  takeWhile,
} from 'rxjs';
import { isObject, parseObject, textOf, toJson, toObject } from '../../protocol/jsonrpc/json';
import type { Request } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Entry } from '../format/tape';
import { groupBy } from '../session/groupBy';
import type { PlannedStep, RecordedCall, RerunPlan } from './rerunPlan';

/** A response that was recorded, or that there is none for the request. */
export type Recorded = { kind: 'entry'; entry: Entry } | { kind: 'unrecorded' };

type Response = Extract<PlannedStep, { kind: 'respond' }>;

/** How calls are answered: `inOrder`; `atOnce`, if another seam is live; `nextAtOnce`, if only the answers to questions are others. */
type Answering = 'inOrder' | 'atOnce' | 'nextAtOnce';

/** The recorded responses to calls that are made again. */
export type CallAnswers = {
  /** Emits the responses to a request at a seam. */
  ask: (seam: string, line: string) => Observable<Recorded>;
  /** Makes a call that has no responses. */
  claim: (seam: string, line: string) => void;
  /** Sends a response whose turn has come. */
  respond: (step: Response) => void;
  /** Emits the calls that are made. */
  call$: Observable<number>;
};

/**
 * A request takes the first recorded request of its seam with the same key that is not taken yet; if there is none, unless `atOnce`, the first of any key.
 * @param keyOf the part of a request that is compared
 */
export const answerCalls = (
  plan: RerunPlan,
  answering: Answering,
  keyOf: (call: RecordedCall) => string,
): CallAnswers => {
  const call$ = new Subject<number>(); // the wire from the engine to the order of the steps
  const response$ = new Subject<Response>(); // the wire from that order to the engine
  const take = taking(plan, answering, keyOf);
  const made = (call: number): void => queueMicrotask(() => call$.next(call)); // after what the call was made for
  return {
    call$,
    claim: (seam, line) => {
      const call = take({ seam, line });
      if (call !== -1) made(call);
    },
    respond: (step) => response$.next(step),
    ask: (seam, line) =>
      defer(() => {
        const call = take({ seam, line });
        if (call === -1) return of<Recorded>({ kind: 'unrecorded' });
        if (answering !== 'inOrder') return from(plan.steps.filter(isResponse)).pipe(ofCall(call), map(toRecorded));
        made(call); // after the subscription below
        return response$.pipe(
          ofCall(call),
          takeWhile(({ isLast }) => !isLast, true),
          map(toRecorded),
        );
      }),
  };
};

const isResponse = (step: PlannedStep): step is Response => step.kind === 'respond';

const ofCall = (call: number) => filter((one: Response) => one.call === call);

const toRecorded = ({ entry }: Response): Recorded => ({ kind: 'entry', entry });

const taking = ({ calls }: RerunPlan, answering: Answering, keyOf: (call: RecordedCall) => string) => {
  const taken = new Set<number>();
  const callAt = (at: number) => calls[at] as RecordedCall;
  const fullKey = (call: RecordedCall) => JSON.stringify([call.seam, keyOf(call)]);
  const alike = groupBy(calls.keys(), (at) => fullKey(callAt(at)));
  const ofSeam = groupBy(calls.keys(), (at) => callAt(at).seam);
  const first = (queue: number[] = []): number | undefined => {
    while (queue[0] !== undefined && taken.has(queue[0])) queue.shift(); // taken from the other queue
    return queue[0];
  };
  return (made: RecordedCall): number => {
    const same = first(alike.get(fullKey(made)));
    const call = same ?? (answering !== 'atOnce' ? first(ofSeam.get(made.seam)) : undefined) ?? -1;
    taken.add(call);
    return call;
  };
};

/** How questions are answered. */
export type QuestionDeps = {
  /** Emits the result of a question; undefined if only the recorded answers count. */
  answer: ((question: Request) => Observable<object>) | undefined;
  /** The lines that the recorded daemon sent. */
  recorded: readonly string[];
  /** Gets the text of each question that is answered, or that nobody answers. */
  onQuestion: (text: string) => void;
};

/**
 * Runs the daemon. With `answer` each question is answered at once, and the recorded answers are left out. Without it, the daemon ends at a question that
 * was not recorded.
 *   in   --y----|     (y a recorded answer)
 *   out  -Q-q|        (Q was recorded, q was not)
 */
export const answerQuestions =
  ({ answer, recorded, onQuestion }: QuestionDeps) =>
  (run: OperatorFunction<string, string>): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const toAnswer = (request: Request): Observable<string> =>
        answer?.(request).pipe(map((result) => toJson({ jsonrpc: '2.0', id: request.id, result }))) ?? EMPTY;
      const question$ = new Subject<Request>(); // the wire from a question to the input of the daemon
      const answer$ = question$.pipe(observeOn(asapScheduler), mergeMap(toAnswer));
      const known = recorded.flatMap((line) => questionIn(line)?.text ?? []);
      const isAnswered = (line: string): boolean => {
        const question = questionIn(line);
        if (question === undefined || (answer === undefined && takeOnce(known, question.text))) return true;
        onQuestion(question.text);
        question$.next(question.request);
        return answer !== undefined;
      };
      return line$.pipe(
        filter((line) => answer === undefined || !parseLine(line).messages.every(({ kind }) => kind === 'response')),
        connect((sent$) => merge(sent$, answer$.pipe(takeUntil(sent$.pipe(ignoreElements(), endWith(true)))))),
        run,
        takeWhile(isAnswered, true),
      );
    });

const questionIn = (line: string): { text: string; request: Request } | undefined => {
  if (!line.includes('"elicitation/create"')) return undefined;
  const request = parseObject(line);
  if (!isObject(request) || request.method !== 'elicitation/create' || request.id === undefined) return undefined;
  return { text: textOf(toObject(request.params).message), request: request as unknown as Request };
};

const takeOnce = (texts: string[], text: string): boolean => {
  const at = texts.indexOf(text);
  if (at !== -1) texts.splice(at, 1);
  return at !== -1;
};
