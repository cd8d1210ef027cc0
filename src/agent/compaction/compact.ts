/** Replaces a conversation that becomes too long with a summary of itself. */
import {
  catchError,
  concatMap,
  connect,
  defer,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  reduce,
} from 'rxjs';
import type { CodexEvent, Sampling } from '../../protocol/codex/events';
import type { ModelEvent, TokenUsage } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import type { Config } from '../../settings/config';
import { toStream } from '../../streams/awaitable';
import { ofKind } from '../../streams/ofKind';
import { isPrompt, SUMMARY_MARK } from '../../threads/lines/prompts';
import { type AttemptDeps, afterBreak, askModel, type BegunSample, begunSample } from '../sampling/attempts';
import { textsOf } from '../sampling/toSteps';
import { developerText, isContext, openingItems, toMessage, toRequest } from '../thread/context';
import { type BegunTurn, endOf, eventOf, type TurnStep } from '../thread/steps';
import { budgetOf } from './budget';
import { fitForSummary, fittingEnd, lastPrompt } from './cutOutputs';

/** A conversation that is to become shorter. */
type Compacting = {
  past: readonly ResponseItem[];
  /** The limit of the request for the summary. */
  maxTokens: number;
};

/**
 * Requests the summary. Emits what the caller sees of that, then the shortened conversation, under the instructions and the environment
 * as they are now; or the end of the turn if there is no summary.
 *   model  -m-(Uz|)
 *   out    ---(TC|)     (T token_count, C compacted)
 */
export const compact = (deps: AttemptDeps, turn: BegunTurn, { past, maxTokens }: Compacting): Observable<TurnStep> => {
  const { config, workspace } = turn.thread;
  return summarize(deps, turn, fitForSummary(past, maxTokens)).pipe(
    concatMap((step): Observable<TurnStep> => {
      if (step.kind === 'tooLong') return fromLess(deps, turn, { past, maxTokens, refusal: step.message });
      if (step.kind !== 'summary') return of(step);
      const around = { config, writableRoots: workspace.writableRoots, facts: workspace.facts };
      return toStream(workspace.userInstructions()).pipe(
        map((instructions) => {
          const opening = openingItems(around, instructions);
          const keepTokens = keptTokens(config, maxTokens);
          return { kind: 'compacted', past: compacted({ opening, summary: step.text, past, keepTokens }) };
        }),
      );
    }),
  );
};

/** What the last turns may take: less if the model refused the conversation or has a low limit, otherwise it would be as long as before. */
const keptTokens = (config: Config, maxTokens: number): number =>
  Math.min(budgetOf(config).keepTokens, Math.floor(maxTokens / 4));

/** The smallest limit with which a summary is still requested. */
const MIN_TOKENS = 2_000;

/** The context window of the model is smaller than assumed: the summary is made from half as much, then from half of that. */
const fromLess = (
  deps: AttemptDeps,
  turn: BegunTurn,
  { past, maxTokens, refusal }: Compacting & { refusal: string },
): Observable<TurnStep> => {
  const half = Math.floor(maxTokens / 2);
  return half < MIN_TOKENS
    ? of(...endOf(turn, { kind: 'failed', message: refusal }))
    : compact(deps, turn, { past, maxTokens: half });
};

/** Reports that the conversation was shortened. */
export const compactedEvent = (turn: BegunTurn): CodexEvent => eventOf(turn, { type: 'context_compacted' });

type Compaction = {
  opening: readonly ResponseItem[];
  summary: string;
  /** The whole conversation. */
  past: readonly ResponseItem[];
  /** What its last turns may take of the new one. */
  keepTokens: number;
};

/**
 * The shortened conversation: its opening, with the instructions and the environment as they are now, the summary, and the last turns
 * as far as they fit into `keepTokens`. If not even the last turn fits, the text of the user's last message stays, shortened
 * like an output, and the summary follows it.
 */
export const compacted = ({ opening, summary, past, keepTokens }: Compaction): ResponseItem[] => {
  const note = toMessage('user', `${SUMMARY_MARK}\n${summary}`);
  const instructions = opening.map(developerText);
  const turns = lastTurns(past, keepTokens).filter(
    (item) => developerText(item) === undefined || !instructions.includes(developerText(item)),
  );
  const prompt = lastPrompt(turns).length > 0 ? [] : lastPrompt(past); // the turns may begin with an image that the model looked at
  return [...opening, ...prompt, note, ...turns];
};

/** The longest end of the conversation that begins with a message of the user and takes at most `maxTokens`. */
const lastTurns = (past: readonly ResponseItem[], maxTokens: number): readonly ResponseItem[] => {
  const from = fittingEnd(past, maxTokens, (items, at) => isPrompt(items[at] as ResponseItem));
  return past.slice(from).filter((item) => !isContext(item));
};

type Summary = { kind: 'summary'; text: string };

/** The prompt for a summary if the configuration has no `compact_prompt`. */
const PROMPT = `The conversation is about to be replaced by a summary of it, so that the work can go on with less to read. Write that summary now, for whoever goes on with the task and knows nothing but your text. State in short lines: what the user wants, in their terms; what was decided and why; what was done, with the paths of files and the names of what is in them; what was found out, with exact values, commands and errors; what is left to do, and the next step. Do not call tools, and do not go on with the task.`;

/**
 * Asks the model for a summary. Emits what the caller sees of it (its cost, failed attempts), then the summary, or the end of
 * the turn if there is none; `tooLong` if the model refuses the request because of its length.
 *   model  -m-(Uz|)       model  -#
 *   out    ---(US|)       out    -(ff|)   (U token_count, S the summary, f error and task_complete)
 */
export const summarize = (
  deps: AttemptDeps,
  turn: BegunTurn,
  past: readonly ResponseItem[],
): Observable<TurnStep | Summary> =>
  defer(() => {
    const { compactPrompt = PROMPT } = turn.thread.config;
    const request = toRequest({ ...turn, tools: { specs: [] } }, [...past, toMessage('user', compactPrompt)]);
    const attempt = (sample: BegunSample): Observable<TurnStep | Summary> =>
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
          return afterBreak(deps, turn, { sample, error });
        }),
        concatMap((step) => (step.kind === 'sample' ? attempt(step as BegunSample) : of(step))),
      );
    return attempt(begunSample(deps, { kind: 'sample', attempt: 0, lastMessage: null }));
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
