/** The reducer of the notifications of a turn. */
import type { Notification } from '../../../protocol/jsonrpc/messages';
import { entryOf } from '../shapes';
import { completeItem } from './completeItem';
import { DELTAS } from './deltas';
import { notice, retried, startup } from './notices';
import { diff, plan, usage } from './progress';
import { startItem } from './startItem';
import { emitting, type ReducedTurn, type ReduceParams, type TurnState } from './turnState';

const REDUCERS: Record<string, ReduceParams> = {
  ...DELTAS,
  'turn/started': emitting(() => [{ type: 'task_started', model_context_window: null }]),
  'item/started': startItem,
  'item/completed': completeItem,
  'turn/plan/updated': plan,
  'turn/diff/updated': diff,
  'thread/tokenUsage/updated': usage,
  'mcpServer/startupStatus/updated': startup,
  warning: notice,
  deprecationNotice: notice,
  error: retried,
};

/** The state after a notification, and its events in the form of `codex/event`; nothing for an unknown method. */
export const reduceNotification = (
  state: TurnState,
  { method, params }: Pick<Notification, 'method' | 'params'>,
): ReducedTurn => entryOf(REDUCERS, method)?.(state, params) ?? { state, output: [] };
