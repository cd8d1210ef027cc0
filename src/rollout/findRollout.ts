/** Finds the rollout that an id, or the beginning of one, means. */
import { toUuid } from '../protocol/codex';
import { nearest } from '../text';
import { archivedFiles, type RolloutFile, type RolloutPlace, sessionFiles } from './rolloutFiles';
import { ThreadError, UnknownThreadError } from './threadError';

/** Shorter beginnings are taken for mistakes. */
const MIN_PREFIX = 4;

/**
 * The one thread whose id is `ref`, or begins with it. Throws ThreadError where there is none, with the nearest and the newest id,
 * and where there are several.
 */
export const findRollout = (place: RolloutPlace, ref: string): RolloutFile => {
  const id = toUuid(ref).toLowerCase();
  const passed: RolloutFile[] = [];
  for (const file of sessionFiles(place)) {
    if (file.id === id) return file;
    passed.push(file);
  }
  const all = [...passed, ...archivedFiles(place)];
  const exact = all.find((file) => file.id === id);
  if (exact !== undefined) return exact;
  const [found, ...more] = id.length < MIN_PREFIX ? [] : all.filter((file) => file.id.startsWith(id));
  if (found === undefined) throw new UnknownThreadError(ref, hintsOf(ref, all));
  if (more.length > 0) throw new ThreadError(severalText(ref, [found, ...more]));
  return found;
};

const hintsOf = (ref: string, all: readonly RolloutFile[]): string[] => {
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

const severalText = (ref: string, files: readonly RolloutFile[]): string => {
  const ids = files.slice(0, SHOWN).map(({ id }) => id);
  return `${files.length} threads begin with ${ref}: ${ids.join(', ')}${files.length > SHOWN ? ', …' : ''}. Give more of the id.`;
};
