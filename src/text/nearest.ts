/** The known name that was probably meant by an unknown one. */
import { distance } from 'fastest-levenshtein';

/** Names longer than this are not compared: the cost grows with the product of their lengths. */
const MAX_CHARS = 64;

/** Letter case and punctuation do not count: `threadid` and `thread-id` are the same. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The known name nearest to an unknown one, the first of several; undefined where more than a third of the letters differ.
 *   nearest('opnai', ['oss', 'openai']) → 'openai'
 */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_CHARS) return undefined;
  const limit = Math.ceil(name.length / 3);
  return known
    .filter((candidate) => candidate.length <= MAX_CHARS)
    .map((candidate) => ({ candidate, edits: distance(plain(name), plain(candidate)) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
};
