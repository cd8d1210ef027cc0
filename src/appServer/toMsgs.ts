/** Owns what each notification of a turn is in `codex/event`. */
import type { EventMsg } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';
import { beginItem } from './beginItem';
import { DELTAS } from './deltas';
import { endItem } from './endItem';
import type { Heard, ToMsgs } from './heard';
import { notice, retried, startup } from './notices';
import { diff, plan, usage } from './progress';
import { entryOf } from './wire';

const NOTIFICATIONS: Record<string, ToMsgs> = {
  ...DELTAS,
  'turn/started': () => [{ type: 'task_started', model_context_window: null }],
  'item/started': beginItem,
  'item/completed': endItem,
  'turn/plan/updated': plan,
  'turn/diff/updated': diff,
  'thread/tokenUsage/updated': usage,
  'mcpServer/startupStatus/updated': startup,
  warning: notice,
  deprecationNotice: notice,
  error: retried,
};

/** What a notification says; nothing for one that is not known. `heard` is changed by it. */
export const toMsgs = (heard: Heard, method: string, params: JsonObject): EventMsg[] =>
  entryOf(NOTIFICATIONS, method)?.(heard, params) ?? [];
