/** Shortens a conversation without a summary: what commands and tools printed long ago is cut first. */
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { firstBytes, MAX_OUTPUT_BYTES, shorten } from '../../protocol/model/shorten';
import { isPrompt } from '../../threads/lines/prompts';
import { isContext, toMessage } from '../thread/context';
import { bytesIn, takeMoreThan, tokensOf } from './budget';

/** What is kept of an old output. */
const HEAD_BYTES = 200;

/**
 * The conversation with the outputs of old calls cut to about their first line, the oldest first, until it fits into `maxTokens`, or all
 * but the newest are cut. Nothing else is changed, so each call keeps its output. The texts that are measured are about as long as what stays.
 * @param keep how many of the newest outputs stay whole
 */
export const cutOutputs = (past: readonly ResponseItem[], maxTokens: number, keep: number): readonly ResponseItem[] => {
  if (!takeMoreThan(past, maxTokens)) return past;
  const cut = withShortOutputs(past, keep);
  if (takeMoreThan(cut, maxTokens)) return cut;
  let left = maxTokens - tokensOf(cut);
  for (let at = past.length - 1; at >= 0; at -= 1) {
    const [whole, short] = [past[at], cut[at]] as [ResponseItem, ResponseItem];
    if (whole === short) continue;
    left -= tokensOf([whole]) - tokensOf([short]);
    if (left < 0) break;
    cut[at] = whole; // the newest that may be cut stay, as far as there is room for them
  }
  return cut;
};

/** A list, not a Map of what is cut: a conversation may have hundreds of thousands of items. */
const withShortOutputs = (past: readonly ResponseItem[], keep: number): ResponseItem[] => {
  const cut = [...past];
  let kept = 0;
  for (let at = past.length - 1; at >= 0; at -= 1) {
    const item = past[at] as ResponseItem;
    if (!('output' in item)) continue;
    if (kept >= keep) cut[at] = shortened(item);
    kept += 1;
  }
  return cut;
};

type Output = Extract<ResponseItem, { output: string }>;

const shortened = (item: Output): ResponseItem => {
  const { images = [], ...text } = item;
  if (Buffer.byteLength(item.output.slice(0, 2 * HEAD_BYTES + 1)) <= 2 * HEAD_BYTES)
    return images.length === 0 ? item : { ...text, output: `${item.output}\n[... its pictures left out ...]` };
  const head = firstBytes(item.output, HEAD_BYTES);
  const left = item.output.length - head.length;
  return { ...text, output: `${head}\n[... ${left} characters of this old output left out ...]` };
};

/**
 * The part of a conversation that fits into a request for its summary: without old outputs, then without its oldest turns. If not even
 * the last turn fits, its first message stays, shortened, followed by the last answers. The instructions and the environment stay.
 */
export const fitForSummary = (past: readonly ResponseItem[], maxTokens: number): readonly ResponseItem[] => {
  const cut = cutOutputs(past, maxTokens, 0);
  const turns = fittingEnd(cut, maxTokens, startsTurn);
  if (turns === 0) return cut;
  const context = cut.slice(0, turns).filter(isContext);
  if (turns < cut.length) return [...context, ...cut.slice(turns)];
  const begun = [...context, ...lastPrompt(past, bytesIn(maxTokens) / 2)];
  return [...begun, ...cut.slice(fittingEnd(cut, maxTokens - tokensOf(begun), startsAnswer))];
};

type Starts = (past: readonly ResponseItem[], from: number) => boolean;

/** The first index from which the rest of a conversation fits into `maxTokens` and has an allowed start; the conversation's length if there is none. */
export const fittingEnd = (past: readonly ResponseItem[], maxTokens: number, starts: Starts): number => {
  let tokens = 0;
  let from = past.length;
  for (let at = past.length - 1; at >= 0; at -= 1) {
    tokens += tokensOf(past.slice(at, at + 1));
    if (tokens > maxTokens) break;
    if (starts(past, at)) from = at;
  }
  return from;
};

/** A conversation may not begin with an output whose call is gone, or in the middle of an answer. */
const startsTurn: Starts = (past, from) => from === 0 || isOfUser(past[from]);

/** An answer comes after a message of the user, or the outputs of the previous answer. */
const startsAnswer: Starts = (past, from) =>
  (isOutput(past[from - 1]) || isOfUser(past[from - 1])) && !isOutput(past[from]);

const isOfUser = (item: ResponseItem | undefined): boolean => item?.type === 'message' && item.role === 'user';

const isOutput = (item: ResponseItem | undefined): boolean => item !== undefined && 'output' in item;

/** The text of the user's last message that has one, shortened like an output to at most `maxBytes`; none if no message has text. */
export const lastPrompt = (past: readonly ResponseItem[], maxBytes = MAX_OUTPUT_BYTES): ResponseItem[] => {
  const last = past.findLast((item) => isPrompt(item) && item.content.some(isText));
  if (last?.type !== 'message') return [];
  const text = last.content.flatMap((part) => (isText(part) ? [part.text] : [])).join('\n');
  return [toMessage('user', shorten(text, Math.min(maxBytes, MAX_OUTPUT_BYTES)))];
};

const isText = (part: ContentPart): part is Extract<ContentPart, { type: 'input_text' }> =>
  part.type === 'input_text' && part.text !== '';
