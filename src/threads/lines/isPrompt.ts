/** Tells apart the messages of a conversation that a person wrote. */
import type { ResponseItem } from '../../protocol/model/items';
import { isContext } from './isContext';

/** A message in the conversation. */
type Message = Extract<ResponseItem, { type: 'message' }>;

/** True for what a person wrote, and not Codex in the role of the user. */
export const isPrompt = (item: ResponseItem): item is Message & { role: 'user' } =>
  item.type === 'message' && item.role === 'user' && !isContext(textOf(item));

const textOf = ({ content }: Message): string => content.map((part) => ('text' in part ? part.text : '')).join('');
