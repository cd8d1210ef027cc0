/** What a conversation is after its summary. */
import type { ResponseItem } from '../../protocol/model/items';
import { SUMMARY_MARK } from '../../threads/lines/isContext';
import { isPrompt } from '../../threads/lines/isPrompt';
import { isContext, toMessage } from '../thread/context';
import { lastPrompt } from '../thread/lastPrompt';
import { tokensOf } from './budget';

/** `past` is the whole conversation; `keepTokens` is what its last turns may take of the new one. */
export type Compaction = {
  opening: readonly ResponseItem[];
  summary: string;
  past: readonly ResponseItem[];
  keepTokens: number;
};

/**
 * The shortened conversation: its opening, with the instructions and the environment as they are now, the summary, and the last turns
 * as far as they fit into `keepTokens`. Where not even the last turn fits, the text of the user's last message stays, shortened
 * like an output, and the summary follows it.
 */
export const compacted = ({ opening, summary, past, keepTokens }: Compaction): ResponseItem[] => {
  const note = toMessage('user', `${SUMMARY_MARK}\n${summary}`);
  const turns = lastTurns(past, keepTokens);
  const prompt = lastPrompt(turns).length > 0 ? [] : lastPrompt(past); // the turns may begin with an image that the model looked at
  return [...opening, ...prompt, note, ...turns];
};

/** The longest end of the conversation that begins with a message of the user and takes at most `maxTokens`. */
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
