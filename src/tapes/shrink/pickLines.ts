/** Makes shorter sessions by leaving out lines of the client, and finds a short session that still fails as each run of the whole session does. */
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { EXIT_LABEL } from '../diff/compare';
import { placesOf, unstablePlaces } from '../diff/describeLane';
import type { Session } from '../format/tape';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';
import type { VerifiedSession } from '../sessions/verifySession';

/** Lines of the handshake, which every shorter session keeps. */
const HANDSHAKE = /^(?:initialize|notifications\/initialized|server\/discover)$/;

/** The client lines that may be left out: all but the handshake and responses, which stay with their requests. */
export const optionalLines = ({ clientLines }: SessionIndex): number[] =>
  [...clientLines.keys()].filter((line) => {
    const { kind, answers, messages } = clientLines[line] as ClientLine;
    return (
      kind === 'line' && answers === undefined && !messages.some((one) => 'method' in one && HANDSHAKE.test(one.method))
    );
  });

const unaskedLabel = ({ link, messages: [message] }: ServerLine): string | undefined =>
  link === 'order' && message?.kind === 'notification' ? labelOf(message) : undefined;

/** The labels of all notifications of a server that name no request. */
export const unsolicitedLabels = ({ serverLines }: SessionIndex): string[] =>
  serverLines.flatMap((line) => unaskedLabel(line) ?? []);

/** What a shorter session keeps besides the handshake. */
type Kept = {
  /** Lines of the client. */
  lines: readonly number[];
  /** Labels of notifications that the server sends also without the lines that are left out. */
  unasked?: readonly string[];
};

/** The session with the handshake, these lines of the client, and all that belongs to them. */
export const pickLines = (session: Session, index: SessionIndex, { lines, unasked = [] }: Kept): Session => {
  const dropped = new Set(optionalLines(index));
  for (const line of lines) dropped.delete(line);
  const { clientLines, serverLines } = index;
  const gone = serverLines.filter(({ owner }) => dropped.has(owner));
  const kept = serverLines.filter(({ owner }) => !dropped.has(owner));
  const stillSent = withoutOnce(unasked, unsolicitedLabels({ ...index, serverLines: kept }));
  const left = new Set(gone.filter((line) => !takeOnce(stillSent, unaskedLabel(line))));
  const isLeft = ({ answers = -1 }: ClientLine): boolean => left.has(serverLines[answers] as ServerLine);
  const lineNumbers = new Set([
    ...[...dropped].map((line) => clientLines[line]?.lineNumber),
    ...[...left].map(({ lineNumber }) => lineNumber),
    ...clientLines.filter(isLeft).map(({ lineNumber }) => lineNumber),
  ]);
  return { ...session, entries: session.entries.filter(({ lineNumber }) => !lineNumbers.has(lineNumber)) };
};

const withoutOnce = (list: readonly string[], others: readonly string[]): string[] => {
  const rest = [...list];
  for (const other of others) takeOnce(rest, other);
  return rest;
};

const takeOnce = (list: string[], item: string | undefined): boolean => {
  const at = item === undefined ? -1 : list.indexOf(item);
  if (at !== -1) list.splice(at, 1);
  return at !== -1;
};

/** Delta debugging. Own code: no library gives out candidates one by one. Source: Zeller and Hildebrandt, ddmin, by complements. */
export type Reduction<T> = {
  /** What is left of the list. */
  items: readonly T[];
  /** In how many parts it is cut. */
  parts: number;
  /** The part that is left out next. */
  next: number;
};

/** The beginning: nothing is left out. */
export const startReduction = <T>(items: readonly T[]): Reduction<T> => ({
  items,
  parts: Math.min(2, items.length),
  next: 0,
});

/** The items to try; undefined if nothing more can be left out. */
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
