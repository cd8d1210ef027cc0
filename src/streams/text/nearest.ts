/** The known name that was probably meant by an unknown one. */
import { distance } from 'fastest-levenshtein';

/** Names longer than this are not compared: the cost grows with the product of their lengths. */
const MAX_CHARS = 64;

/** Letter case and punctuation do not count: `threadid` and `thread-id` are the same. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The known name nearest to an unknown name, the first of several. A third of the letters may differ; in a name of fewer than
 * six letters only one, and not the first; in one of one or two letters none. Undefined if no name is that near.
 *   nearest('opnai', ['oss', 'openai']) → 'openai'
 *   nearest('port', ['profile', 'out'])  → undefined
 */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_CHARS) return undefined;
  const letters = plain(name);
  const limit = Math.floor(letters.length / 3);
  return known
    .filter((candidate) => candidate.length <= MAX_CHARS)
    .map((candidate) => ({ candidate, edits: editsOf(letters, plain(candidate)) }))
    .filter(({ candidate, edits }) => edits <= limit && (edits === 0 || isAlike(letters, plain(candidate))))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
};

/** Two letters in the wrong order are one mistake. */
const editsOf = (name: string, candidate: string): number => {
  const edits = distance(name, candidate);
  return edits === 2 && sorted(name) === sorted(candidate) ? 1 : edits;
};

const sorted = (name: string): string => [...name].sort().join('');

/** In a short name one different letter makes another word; the first letter is rarely the mistyped one. */
const isAlike = (name: string, candidate: string): boolean =>
  name.length >= SHORT_CHARS || name.charAt(0) === candidate.charAt(0);

const SHORT_CHARS = 6;
