/** The request for a summary of a conversation. */
import { catchError, concatMap, connect, defer, merge, type Observable, type OperatorFunction, of, reduce } from 'rxjs';
import type { Sampling } from '../../protocol/codex/events';
import type { ModelEvent, TokenUsage } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import { ofKind } from '../../streams/ofKind';
import { type AttemptDeps, afterAttempt, askModel, isTooLong } from '../sampling/attempts';
import { afterBreak } from '../sampling/sampleOnce';
import { textsOf } from '../sampling/toEvents';
import { toMessage, toRequest } from '../thread/context';
import { type BegunTurn, endOf, eventOf, type Sample, type TurnStep } from '../thread/steps';

/** The text of a summary. */
export type Summary = { kind: 'summary'; text: string };

/** The prompt for a summary where the configuration has no `compact_prompt`. */
const PROMPT = `The conversation is about to be replaced by a summary of it, so that the work can go on with less to read. Write that summary now, for whoever goes on with the task and knows nothing but your text. State in short lines: what the user wants, in their terms; what was decided and why; what was done, with the paths of files and the names of what is in them; what was found out, with exact values, commands and errors; what is left to do, and the next step. Do not call tools, and do not go on with the task.`;

/**
 * Asks the model for a summary. Emits what the caller sees of it (its cost, failed attempts), then the summary, or the end of
 * the turn where there is none; `tooLong` where the model refuses the request because of its length.
 *   model  -m-(Uz|)       model  -#
 *   out    ---(US|)       out    -(ff|)   (U token_count, S the summary, f error and task_complete)
 */
export const summarize =
  (deps: AttemptDeps) =>
  (turn: BegunTurn, past: readonly ResponseItem[]): Observable<TurnStep | Summary> =>
    defer(() => {
      const { compactPrompt = PROMPT } = turn.thread.config;
      const request = toRequest({ ...turn, tools: { specs: [] } }, [...past, toMessage('user', compactPrompt)]);
      const attempt = (sample: Required<Sample>): Observable<TurnStep | Summary> =>
        askModel(deps, turn, { request, tried: sample.tried }).pipe(
          connect((event$) =>
            merge(
              event$.pipe(ofKind('sampling')),
              event$.pipe(
                toAnswer(),
                concatMap((answer) => of(...toSteps(turn, answer))),
              ),
            ),
          ),
          catchError((error: unknown) => {
            if (!(error instanceof ModelError)) throw error;
            if (isTooLong(error)) return of<TurnStep>({ kind: 'tooLong', message: error.message });
            return afterBreak(deps, turn, { sample: afterAttempt(sample, error), error });
          }),
          concatMap((step) => (step.kind === 'sample' ? attempt(step as Required<Sample>) : of(step))),
        );
      return attempt({
        kind: 'sample',
        attempt: 0,
        lastMessage: null,
        tried: { requests: 0, sinceMs: deps.clockMs() },
      });
    });

type Answer = { text: string; usage: TokenUsage | null };

const toAnswer = (): OperatorFunction<ModelEvent | Sampling, Answer> =>
  reduce<ModelEvent | Sampling, Answer>(
    (answer, event) => {
      if (event.kind === 'completed') return { ...answer, usage: event.usage };
      return event.kind === 'item' ? { ...answer, text: answer.text + textsOf(event.item).join('\n') } : answer;
    },
    { text: '', usage: null },
  );

const toSteps = (turn: BegunTurn, { text, usage }: Answer): (TurnStep | Summary)[] => [
  ...(usage === null ? [] : [eventOf(turn, { type: 'token_count', ...usage })]),
  ...(text.trim() === ''
    ? endOf(turn, { kind: 'failed', message: EMPTY_SUMMARY })
    : [{ kind: 'summary' as const, text }]),
];

const EMPTY_SUMMARY = 'The model gave no summary, so the conversation is as it was. Try again, or start a new thread.';
