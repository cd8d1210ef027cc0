/** Looks for a block of lines in a file. */

import { lazy } from '../../../streams/lazy/lazy';
import { trim, trimEnd } from '../grammar/whiteSpace';
import { normalise } from './normalise';

/** Where a block may begin: anywhere from a line on, or only where it reaches the end of the file. */
export type SearchRange = { from: number; anchor: 'anywhere' | 'endOfFile' };

/** `exhausted`: the file and the patch are alike in so many places that the search was given up. */
export type Found = number | 'missing' | 'exhausted';

export type Search = (block: readonly string[], range: SearchRange) => Found;

/** How lines are compared, from strict to lenient. Each is tried on the whole range before the next. */
const FORMS: readonly ((line: string) => string)[] = [(line) => line, trimEnd, trim, normalise];

/** The limit of comparisons that all searches in one file may cost together: a fraction of a second. Longer lines count more. */
const MAX_COST = 20_000_000;
const LENGTH_SHIFT = 4;

/**
 * A search over the lines of one file. It finds the line at which a block begins, by the strictest form that matches anywhere in the range.
 * All searches share one budget, so that a hostile patch cannot keep the process busy.
 * Source: Codex 0.28.0, CORE 6.6.
 */
export const searchLines = (lines: readonly string[]): Search => {
  const forms = FORMS.map((form) => ({ form, lines: lazy(() => lines.map(form)) }));
  let budget = MAX_COST;
  return (block, { from, anchor }) => {
    const last = lines.length - block.length;
    const first = anchor === 'endOfFile' ? last : from;
    if (last < 0) return 'missing';
    for (const { form, lines: all } of forms) {
      const { at, cost } = firstMatch(all(), block.map(form), { first, last, budget });
      budget -= cost;
      if (budget < 0) return 'exhausted';
      if (at !== undefined) return at;
    }
    return 'missing';
  };
};

type Bounds = { first: number; last: number; budget: number };

const firstMatch = (lines: readonly string[], block: readonly string[], { first, last, budget }: Bounds) => {
  let cost = 0;
  for (let at = first; at <= last && cost <= budget; at += 1) {
    let same = 0;
    while (same < block.length && lines[at + same] === block[same]) {
      cost += 1 + ((block[same]?.length ?? 0) >> LENGTH_SHIFT);
      same += 1;
    }
    if (same === block.length) return { at, cost };
    cost += 1;
  }
  return { at: undefined, cost };
};
