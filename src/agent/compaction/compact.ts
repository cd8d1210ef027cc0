/** Replaces a conversation that becomes too long with a summary of itself. */
import { concatMap, map, type Observable, of } from 'rxjs';
import type { CodexEvent } from '../../protocol/codex/events';
import type { ResponseItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';
import { toStream } from '../../streams/awaitable';
import type { TurnDeps } from '../sampling/turnDeps';
import { openingItems } from '../thread/context';
import { type BegunTurn, endOf, eventOf, type TurnStep } from '../thread/steps';
import { budgetOf } from './budget';
import { compacted } from './compacted';
import { fitForSummary } from './cutOutputs';
import { summarize } from './summarize';

/** @param maxTokens the limit of the request for the summary */
type Compacting = { past: readonly ResponseItem[]; maxTokens: number };

/**
 * Requests the summary. Emits what the caller sees of that, then the shortened conversation, under the instructions and the environment
 * as they are now; or the end of the turn where there is no summary.
 *   model  -m-(Uz|)
 *   out    ---(TC|)     (T token_count, C compacted)
 */
export const compact =
  (deps: TurnDeps) =>
  (turn: BegunTurn, { past, maxTokens }: Compacting): Observable<TurnStep> => {
    const { config, workspace } = turn.thread;
    return summarize(deps)(turn, fitForSummary(past, maxTokens)).pipe(
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
  deps: TurnDeps,
  turn: BegunTurn,
  { past, maxTokens, refusal }: Compacting & { refusal: string },
): Observable<TurnStep> => {
  const half = Math.floor(maxTokens / 2);
  return half < MIN_TOKENS
    ? of(...endOf(turn, { kind: 'failed', message: refusal }))
    : compact(deps)(turn, { past, maxTokens: half });
};

/** The event which reports that the conversation was shortened. */
export const compactedEvent = (turn: BegunTurn): CodexEvent => eventOf(turn, { type: 'context_compacted' });
