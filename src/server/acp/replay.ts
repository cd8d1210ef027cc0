/** The past of a stored thread as the updates that a client would have had. */
import type { SessionUpdate } from '../../protocol/acp/acp';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { pairCalls } from '../../tapes/import/rolloutCalls';
import { parseLines, readRolloutLine } from '../../threads/lines/readRolloutLine';
import { endTurn, type Shown, type TurnView } from './toolView';
import { showEvent, showText } from './turnView';

/** The view after the thread, and its updates: prompts, messages, thoughts, plans, and calls, of which none is left open. */
export const replayThread = (view: TurnView, rollout: string): Shown => {
  const items = parseLines(rollout)
    .flatMap((line) => readRolloutLine(line) ?? [])
    .map((item) => ({ ...item, ms: undefined }));
  const output: SessionUpdate[] = []; // grows in place: a thread may have tens of thousands of items
  let state = view;
  const show = (next: Shown): void => {
    state = next.state;
    output.push(...next.output);
  };
  for (const item of pairCalls(items)) {
    if (item.kind === 'event') show(showEvent(state, item.msg as EventMsg));
    else {
      show(endTurn(state));
      show(showText(state, 'user_message_chunk', item.text));
    }
  }
  show(endTurn(state));
  return { state, output };
};
