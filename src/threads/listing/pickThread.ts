/** Picks the thread that an id, or the beginning of an id, stands for. */
import { toUuid } from '../../protocol/codex/toUuid';
import { nearest } from '../../streams/text/nearest';
import { ThreadError, UnknownThreadError } from '../threadError';

type Known = { id: string };

/** Shorter beginnings are taken for mistakes. */
const MIN_PREFIX = 4;

/**
 * The one thread of these, the newest first, whose id is `ref`, or begins with it. Throws ThreadError if there is none, with the nearest
 * and the newest id, and if there are several.
 * @param whyMissing returns sentences on why the store may lack a thread
 */
export const pickThread = <T extends Known>(
  ref: string,
  all: readonly T[],
  whyMissing: () => readonly string[] = () => [],
): T => {
  const id = toUuid(ref).toLowerCase();
  const exact = all.find((one) => one.id === id);
  if (exact !== undefined) return exact;
  const [found, ...more] = id.length < MIN_PREFIX ? [] : all.filter((one) => one.id.startsWith(id));
  if (found === undefined) throw new UnknownThreadError(ref, [...whyMissing(), ...hintsOf(ref, all)]);
  if (more.length > 0) throw new ThreadError(severalText(ref, [found, ...more]));
  return found;
};

const hintsOf = (ref: string, all: readonly Known[]): string[] => {
  const near = nearest(
    toUuid(ref),
    all.map(({ id }) => id),
  );
  const [newest] = all;
  return [
    ...(near === undefined ? [] : [`The nearest is ${near}.`]),
    ...(newest === undefined || newest.id === near ? [] : [`The newest is ${newest.id}.`]),
  ];
};

const SHOWN = 3;

const severalText = (ref: string, found: readonly Known[]): string => {
  const ids = found.slice(0, SHOWN).map(({ id }) => id);
  return `${found.length} threads begin with ${ref}: ${ids.join(', ')}${found.length > SHOWN ? ', …' : ''}. Give more of the id.`;
};
