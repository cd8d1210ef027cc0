/** Owns what is written of a session in a spec. */
import type { Message } from './messages';

/** What letters stand for. */
export type Values = { readonly [letter: string]: Message };

/**
 * A part of a session. Of several lines of the server the order between them is not compared: calls that overlap.
 * `values` also holds for the phases behind it.
 */
export type Phase = { name?: string; client: string; server: string | readonly string[]; values?: Values };

/** What is wrong with how a spec is written. */
export class ScoreError extends Error {
  override name = 'ScoreError';
}
