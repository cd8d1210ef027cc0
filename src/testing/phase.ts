/** What a spec writes of a session. */
import type { Message } from './messages';

/** What letters stand for. */
export type Values = { readonly [letter: string]: Message };

/** A part of a session. */
export type Phase = {
  name?: string;
  client: string;
  /** Several rows for calls that overlap: the order between them is not compared. */
  server: string | readonly string[];
  /** Apply to the following phases too. */
  values?: Values;
};

/** How what is received is compared: `exactly`, apart from holes, or `asReplay`, as `codex-rx replay` compares it with a tape. */
export type Comparison = 'exactly' | 'asReplay';

/** What else a comparison as in replay leaves out, or compares nevertheless, as the options of `codex-rx replay` with these names. */
export type MaskLists = Readonly<
  Partial<Record<'mask' | 'unmask' | 'ignore-path' | 'ignore-method', readonly string[]>>
>;

/** The marbles or the values of a spec cannot be played. */
export class ScoreError extends Error {
  override name = 'ScoreError';
}
