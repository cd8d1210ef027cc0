/** Joins marbles of one name for a legend. */

type Signed = { symbol: string; name: string };

/** A name with a marble for each of its letters, in the order in which they came. */
export type LegendEntry<T> = { name: string; signs: T[] };

const RESPONSE = 'response to ';

/**
 * The names of marbles, each once: a request and its response are one entry, whichever side asked.
 *   i initialize, n initialized, I initialize  →  `i I initialize`, `n initialized`
 */
export const legendEntries = <T extends Signed>(marbles: Iterable<T>): LegendEntry<T>[] => {
  const entries = new Map<string, Map<string, T>>();
  for (const marble of marbles) {
    const name = marble.name.startsWith(RESPONSE) ? marble.name.slice(RESPONSE.length) : marble.name;
    const signs = entries.get(name) ?? new Map<string, T>();
    entries.set(name, signs);
    if (!signs.has(marble.symbol)) signs.set(marble.symbol, marble);
  }
  return [...entries].map(([name, signs]) => ({ name, signs: [...signs.values()] }));
};
