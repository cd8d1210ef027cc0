/**
 * Delta debugging: finds a small part of a list that still fails. Own code: no maintained library gives out candidates one by one, for trials that
 * take a while.
 * Source: Zeller and Hildebrandt, ddmin, by complements.
 */

/** What is left of the list, in how many parts it is cut, and which of them is left out next. */
export type Reduction<T> = { items: readonly T[]; parts: number; next: number };

/** The beginning: nothing is left out. */
export const startReduction = <T>(items: readonly T[]): Reduction<T> => ({
  items,
  parts: Math.min(2, items.length),
  next: 0,
});

/** The part to try; undefined where nothing more can be left out. */
export const candidateOf = <T>({ items, parts, next }: Reduction<T>): readonly T[] | undefined => {
  if (items.length === 0 || next >= parts) return undefined;
  const [from, to] = [next, next + 1].map((part) => Math.floor((part * items.length) / parts)) as [number, number];
  return [...items.slice(0, from), ...items.slice(to)];
};

/** The reduction after the candidate was tried. */
export const afterTrial = <T>(before: Reduction<T>, outcome: 'fails' | 'passes'): Reduction<T> => {
  const { items, parts, next } = before;
  if (outcome === 'fails') {
    const left = candidateOf(before) ?? items;
    return { items: left, parts: Math.min(Math.max(parts - 1, 2), left.length), next: 0 };
  }
  if (next + 1 < parts || parts >= items.length) return { ...before, next: next + 1 };
  return { items, parts: Math.min(2 * parts, items.length), next: 0 };
};
