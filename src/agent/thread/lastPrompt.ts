/** The user's last message in a conversation, for its summary. */
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { isPrompt } from '../../threads/lines/prompts';
import { MAX_OUTPUT_BYTES, shorten } from '../tools/shorten';
import { toMessage } from './context';

/** The text of the user's last message that has one, shortened like an output to at most `maxBytes`; none where no message has text. */
export const lastPrompt = (past: readonly ResponseItem[], maxBytes = MAX_OUTPUT_BYTES): ResponseItem[] => {
  const last = past.filter(isPrompt).findLast(({ content }) => content.some(isText));
  if (last === undefined) return [];
  const text = last.content.flatMap((part) => (isText(part) ? [part.text] : [])).join('\n');
  return [toMessage('user', shorten(text, Math.min(maxBytes, MAX_OUTPUT_BYTES)))];
};

const isText = (part: ContentPart): part is Extract<ContentPart, { type: 'input_text' }> =>
  part.type === 'input_text' && part.text !== '';
