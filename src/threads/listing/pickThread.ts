/** Picks the thread that an id, or the beginning of an id, stands for. */
import { toUuid } from '../../protocol/codex/toUuid';
import { nearest } from '../../streams/text/nearest';
import { ThreadError, UnknownThreadError } from '../threadError';

type Known = { id: string };

/** Shorter beginnings are taken for mistakes. */
const MIN_PREFIX = 4;

/** What a search has found in the threads that it has seen so far, the newest first. */
type Search<T> = {
  /** The thread whose id is the whole reference. */
  exact?: T;
  /** The first threads whose id begins with the reference. */
  begun: readonly T[];
  /** How many begin with it. */
  count: number;
  /** The id that is nearest to the reference, if none begins with it. */
  near?: string;
  /** The id of the newest thread. */
  newest?: string;
};

/** A search that has seen no thread. */
export const NOTHING_FOUND: Search<never> = { begun: [], count: 0 };

/** The step of a search for the thread whose id is `ref`, or begins with it: what it has found, and the next threads. It keeps only what `Search` names. */
export const searchFor = <T extends Known>(ref: string) => {
  const id = toUuid(ref).toLowerCase();
  return (search: Search<T>, next: readonly T[]): Search<T> => {
    const exact = search.exact ?? next.find((one) => one.id === id);
    if (exact !== undefined) return { ...search, exact };
    const more = id.length < MIN_PREFIX ? [] : next.filter((one) => one.id.startsWith(id));
    const count = search.count + more.length;
    const known = [...(search.near === undefined ? [] : [search.near]), ...next.map((one) => one.id)];
    return {
      begun: [...search.begun, ...more].slice(0, SHOWN),
      count,
      near: count > 0 ? undefined : nearest(id, known),
      newest: search.newest ?? next[0]?.id,
    };
  };
};

/**
 * The thread that a finished search has found. Throws ThreadError if there is none, with the nearest and the newest id, and if there are several.
 * @param whyMissing returns sentences on why the store may lack a thread
 */
export const picked = <T extends Known>(
  ref: string,
  { exact, begun, count, near, newest }: Search<T>,
  whyMissing: () => readonly string[] = () => [],
): T => {
  const found = exact ?? begun[0];
  if (found === undefined) {
    const hints = [
      ...(near === undefined ? [] : [`The nearest is ${near}.`]),
      ...(newest === undefined || newest === near ? [] : [`The newest is ${newest}.`]),
    ];
    throw new UnknownThreadError(ref, [...whyMissing(), ...hints]);
  }
  if (exact === undefined && count > 1) throw new ThreadError(severalText(ref, begun, count));
  return found;
};

/** The one thread of these, the newest first, whose id is `ref`, or begins with it. Throws as `picked`. */
export const pickThread = <T extends Known>(ref: string, all: readonly T[]): T =>
  picked<T>(ref, searchFor<T>(ref)(NOTHING_FOUND, all));

const SHOWN = 3;

const severalText = (ref: string, begun: readonly Known[], count: number): string =>
  `${count} threads begin with ${ref}: ${begun.map(({ id }) => id).join(', ')}${count > SHOWN ? ', …' : ''}. Give more of the id.`;
