/** The message of the user that a conversation goes on from. */
import type { ContentPart, ResponseItem } from '../protocol/model';
import { MAX_OUTPUT_BYTES, shorten } from '../tools';
import { isContext, toMessage } from './context';

type Prompt = Extract<ResponseItem, { type: 'message' }>;

/** A message of the user, not one that the engine added. */
export const isPrompt = (item: ResponseItem): item is Prompt =>
  item.type === 'message' && item.role === 'user' && !isContext(item);

/** The text of the last message of the user that has one, shortened as an output is, to at most so many bytes; none where no message has. */
export const lastPrompt = (past: readonly ResponseItem[], maxBytes = MAX_OUTPUT_BYTES): ResponseItem[] => {
  const last = past.findLast((item) => isPrompt(item) && item.content.some(isText)) as Prompt | undefined;
  if (last === undefined) return [];
  const text = last.content.flatMap((part) => (isText(part) ? [part.text] : [])).join('\n');
  return [toMessage('user', shorten(text, Math.min(maxBytes, MAX_OUTPUT_BYTES)))];
};

const isText = (part: ContentPart): part is Extract<ContentPart, { type: 'input_text' }> =>
  part.type === 'input_text' && part.text !== '';
