/** Shortening a conversation without a summary: what commands and tools printed long ago is cut first. */
import type { ResponseItem } from '../protocol/model';
import { firstBytes } from '../tools';
import { takesMore, tokensOf } from './budget';
import { isContext } from './context';

/** What stays of an old output. */
const HEAD_BYTES = 200;

/**
 * The conversation with the outputs of old calls cut to their first line or so, the oldest first, until it is no larger than that, or all
 * but the newest are cut. Nothing else is touched, so each call keeps its output.
 * @param keep how many of the newest outputs stay whole
 */
export const cutOutputs = (past: readonly ResponseItem[], maxTokens: number, keep: number): readonly ResponseItem[] => {
  if (!takesMore(past, maxTokens)) return past;
  let tokens = tokensOf(past);
  const outputs = past.filter((item) => 'output' in item);
  const old = new Set<ResponseItem>(outputs.slice(0, Math.max(0, outputs.length - keep)));
  return past.map((item) => {
    if (tokens <= maxTokens || !old.has(item)) return item;
    const cut = shortened(item);
    tokens -= tokensOf([item]) - tokensOf([cut]);
    return cut;
  });
};

const shortened = (item: ResponseItem): ResponseItem => {
  if (!('output' in item)) return item;
  const bytes = Buffer.byteLength(item.output);
  if (bytes <= 2 * HEAD_BYTES) return item;
  const left = bytes - HEAD_BYTES;
  return {
    ...item,
    output: `${firstBytes(item.output, HEAD_BYTES)}\n[... ${left} bytes of this old output left out ...]`,
  };
};

/**
 * The conversation as far as a request for its summary may be: without old outputs, then without its oldest turns. The instructions
 * and the environment stay.
 */
export const fitForSummary = (past: readonly ResponseItem[], maxTokens: number): readonly ResponseItem[] => {
  const cut = cutOutputs(past, maxTokens, 0);
  let tokens = tokensOf(cut);
  let from = 0;
  while (from < cut.length && (tokens > maxTokens || !startsWhole(cut, from))) {
    tokens -= tokensOf(cut.slice(from, from + 1));
    from += 1;
  }
  return from === 0 ? cut : [...cut.slice(0, from).filter(isContext), ...cut.slice(from)];
};

/** A conversation may not begin with an output whose call is gone, or in the middle of an answer. */
const startsWhole = (past: readonly ResponseItem[], from: number): boolean => {
  const item = past[from];
  return from === 0 || (item?.type === 'message' && item.role === 'user');
};
