/** How much of a conversation a model can be sent. */
import type { Config } from '../config';

/** `maxBytes`: the most that a request may hold; `keepBytes`: what the last turns may take of a conversation after its summary. */
export type Budget = { maxBytes: number; keepBytes: number };

/** The context window of a model that is not known. Source: the smallest of the models in use that have a published one. */
const DEFAULT_WINDOW = 128_000;

/** English text and code have about four bytes a token. */
const BYTES_PER_TOKEN = 4;

/** Four fifths of the window are for the request, the rest for the answer and for what the estimate misses. */
export const budgetOf = ({ contextWindow }: Pick<Config, 'contextWindow'>): Budget => {
  const windowBytes = (contextWindow ?? DEFAULT_WINDOW) * BYTES_PER_TOKEN;
  return { maxBytes: Math.floor(windowBytes * 0.8), keepBytes: Math.floor(windowBytes * 0.1) };
};
