/** Chooses the failure that a session is shrunk for: it must be the same in each run of the whole session. */
import { EXIT_LABEL } from '../diff/compare';
import { placesOf, unstablePlaces } from '../diff/places';
import type { VerifiedSession } from '../sessions/verifySession';

/** The failure that is followed, or why there is none: the runs do not differ from the tape (`same`), or differ in other places each time. */
export type Followed = {
  /** Places that differ between the runs. */
  unstable: ReadonlySet<string>;
} & ({ kind: 'same' | 'unstable' } | { kind: 'failure'; failure: string });

type Run = Pick<VerifiedSession, 'results' | 'cause'>;

/** The first failure that every run has, in a text that is the same for a shorter session. */
export const toFollowed = (runs: readonly Run[]): Followed => {
  const unstable = unstablePlaces(runs.map(({ results, cause }) => (cause === undefined ? results : [])));
  const crashes = runs.some(({ cause }) => cause !== undefined);
  const left = crashes ? new Set<string>() : unstable;
  const [first = [], ...others] = runs.map((run) => failuresOf(run, left));
  const failure = first.find((one) => others.every((failures) => failures.includes(one)));
  if (failure !== undefined) return { kind: 'failure', failure, unstable: left };
  const isSame = [first, ...others].every((failures) => failures.length === 0) && unstable.size === 0;
  return { kind: isSame ? 'same' : 'unstable', unstable };
};

/**
 * The names of the failures of a run: its crash alone, or all differences, first the exit.
 * @param unstable places that are left out
 */
export const failuresOf = ({ results, cause }: Run, unstable: ReadonlySet<string>): string[] => {
  if (cause !== undefined) return namesOf(cause);
  const exits = results.filter(({ label }) => label === EXIT_LABEL);
  const places = [...exits, ...results.filter((result) => !exits.includes(result))].flatMap(placesOf);
  return places.filter(({ id }) => !unstable.has(id)).map(({ name }) => name);
};

/** The cause with and without the last text of the server, which may differ each time. */
const namesOf = (cause: string): string[] => {
  const [head = ''] = cause.split(';');
  return [...new Set([head, head.replace(/ \(.*$/s, '')])];
};

const MAX_SHOWN = 5;

/** Remarks on what is left out. */
export const remarkUnstable = (remark: (text: string) => void, unstable: ReadonlySet<string>, runs: number): void => {
  if (unstable.size === 0) return;
  const shown = [...unstable].slice(0, MAX_SHOWN).join(', ');
  const more = unstable.size > MAX_SHOWN ? ` and ${unstable.size - MAX_SHOWN} more` : '';
  remark(`what differs between ${runs} runs is left out: ${shown}${more}`);
};
