/** The past of a stored thread as the updates that a client would have had. */
import type { SessionUpdate } from '../../protocol/acp/acp';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { pairCalls } from '../../tapes/import/rolloutCalls';
import { readRolloutLine } from '../../threads/lines/readRolloutLine';
import { lastCount } from '../../threads/lines/tokenCount';
import { endTurn, type Shown, type TurnView } from './toolView';
import { showEvent, showText, toUsage } from './turnView';

/** The view after the thread, and its updates: prompts, messages, thoughts, plans, and calls, of which none is left open; at last the use of the context. */
export const replayThread = (view: TurnView, lines: readonly JsonObject[]): Shown => {
  const items = lines.flatMap((line) => readRolloutLine(line) ?? []).map((item) => ({ ...item, ms: undefined }));
  const output: SessionUpdate[] = []; // grows in place: a thread may have tens of thousands of items
  let state = view;
  const show = (next: Shown): void => {
    state = next.state;
    for (const update of next.output) output.push(update);
  };
  for (const item of pairCalls(items)) {
    if (item.kind === 'event') show(showStored(state, item.msg));
    else {
      show(endTurn(state));
      show(showText(state, 'user_message_chunk', item.text));
    }
  }
  show(endTurn(state));
  const used = lines.map(lastCount).findLast((count) => count !== undefined);
  return { state, output: used === undefined ? output : [...output, toUsage(state, used)] };
};

/** Counts are shown once, at the end. An event that another release wrote with other members is left out. */
const showStored = (view: TurnView, msg: JsonObject): Shown => {
  if (msg.type === 'token_count') return { state: view, output: [] };
  try {
    return showEvent(view, msg as EventMsg);
  } catch (error) {
    if (error instanceof TypeError) return { state: view, output: [] };
    throw error;
  }
};
