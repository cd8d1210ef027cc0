/** What a spec writes of a session. */
import type { Message } from './messages';

/** What letters stand for. */
export type Values = { readonly [letter: string]: Message };

/**
 * A part of a session. Where `server` has several rows, for calls that overlap, the order between them is not compared.
 * `values` are also those of the phases after it.
 */
export type Phase = { name?: string; client: string; server: string | readonly string[]; values?: Values };

/** The marbles or the values of a spec cannot be played. */
export class ScoreError extends Error {
  override name = 'ScoreError';
}
