/** The port through which an engine asks the person behind a call, and the verdict when nobody answers. */
import { distinctUntilChanged, map, NEVER, type Observable, startWith, switchMap, timer } from 'rxjs';
import type { Ask, ReviewResult } from '../../protocol/codex/engine';
import { request } from '../../protocol/rpc/request';
import { demultiplex } from '../../streams/demultiplex';
import { ofKind } from '../../streams/ofKind';
import { inputFirst } from '../../streams/time/limits';
import type { EngineInput, Wait } from './step';

export type AskDeps = {
  /** Never returns the same id twice. */
  newQuestionId: () => number;
  /** How long a question stays open after its client was asked. */
  askTimeoutMs: number;
};

/** How long a question stays open if its client is away and another call waits for its thread. */
const AWAY_MS = 10_000;

/** The verdict when the client cannot be asked, for this reason. */
export const unaskable = (reason = 'it declared no elicitation'): ReviewResult => ({
  decision: 'denied',
  reason: `the client cannot be asked (${reason})`,
});

const tooLate = (ms: number): ReviewResult => ({ decision: 'denied', reason: `nobody answered within ${ms / 1000} s` });

const AWAY: ReviewResult = {
  decision: 'denied',
  reason: 'the client did not come back with an answer, and another call waited for the thread',
};

/**
 * Asks, and goes on with the verdict, which always comes: a caller that cannot be asked denies at once; a silent caller denies after
 * `askTimeoutMs`, or sooner if another call waits for the thread.
 * @param input$ hot; the verdicts of clients, and how long questions wait
 *   input$  ---y
 *   out     Q--T       (Q the question, T what follows the verdict)
 */
export const askCaller = (deps: AskDeps, input$: Observable<EngineInput>): Ask => {
  const wait$ = input$.pipe(ofKind('wait'));
  const waitsOf = demultiplex(({ question }: Wait) => question)(wait$);
  const ask = request({
    response$: input$.pipe(
      ofKind('verdict'),
      map(({ question, verdict }) => ({ id: question, verdict })),
    ),
    newId: deps.newQuestionId,
    fallback: (id) =>
      lateVerdict(deps, waitsOf(id).pipe(map(({ limit }) => limit))).pipe(map((verdict) => ({ id, verdict }))),
  });
  return ({ askable, cannotAsk }, question, then) =>
    askable ? ask(question, ({ id, verdict }) => then({ ...verdict, question: id })) : then(unaskable(cannotAsk));
};

/** Emits the verdict on a question that nobody answers. Another call that waits does not prolong a short wait; a client that comes back, no long one. */
const lateVerdict = ({ askTimeoutMs }: AskDeps, limit$: Observable<Wait['limit']>): Observable<ReviewResult> =>
  limit$.pipe(
    startWith('long' as const),
    distinctUntilChanged((before, limit) => (before === 'short' ? limit === 'short' : limit === 'back')),
    switchMap((limit) => {
      if (limit === 'none') return NEVER;
      return limit === 'short'
        ? timer(AWAY_MS, inputFirst).pipe(map(() => AWAY))
        : timer(askTimeoutMs, inputFirst).pipe(map(() => tooLate(askTimeoutMs)));
    }),
  );
