/** What a conversation is after its summary. */
import type { ResponseItem } from '../../protocol/model';
import { isPrompt, SUMMARY_MARK } from '../../rollout';
import { isContext, lastPrompt, toMessage } from '../thread';
import { tokensOf } from './budget';

/** `past` is the whole conversation; `keepTokens` is what its last turns may take of the new one. */
export type Compaction = {
  opening: readonly ResponseItem[];
  summary: string;
  past: readonly ResponseItem[];
  keepTokens: number;
};

/**
 * The conversation in short: how it opens, with the instructions and the environment as they are now, the summary, and the last turns
 * as far as they are within `keepTokens`. Where not even the last turn is, the text of the last message of the user stays, shortened
 * as an output is, and the summary follows it.
 */
export const compacted = ({ opening, summary, past, keepTokens }: Compaction): ResponseItem[] => {
  const note = toMessage('user', `${SUMMARY_MARK}\n${summary}`);
  const turns = lastTurns(past, keepTokens);
  const prompt = lastPrompt(turns).length > 0 ? [] : lastPrompt(past); // what begins there may be a picture that the model looked at
  return [...opening, ...prompt, note, ...turns];
};

/** The longest end of the conversation that begins with a message of the user and is no larger than that. */
const lastTurns = (past: readonly ResponseItem[], maxTokens: number): readonly ResponseItem[] => {
  let tokens = 0;
  let from = past.length;
  for (let at = past.length - 1; at >= 0; at -= 1) {
    const item = past[at] as ResponseItem;
    tokens += tokensOf([item]);
    if (tokens > maxTokens) break;
    if (isPrompt(item)) from = at;
  }
  return past.slice(from).filter((item) => !isContext(item));
};
