/** What the server of a recorded session received, if its recorder injected faults into the lines of the client. */
import type { NumberedEntry, Session } from '../format/tape';
import { withLength } from '../format/tapeLines';
import { toSessionIndex } from '../session/toSessionIndex';
import { damagedText, injectedKind } from './faults';

/** How many faults were injected. */
export const countInjected = ({ entries }: Session): number =>
  entries.filter(({ entry }) => entry.injected !== undefined).length;

/** The session as the server saw it: lines are lost, doubled or damaged. An end by the recorder is taken out, with open requests. */
export const asReceived = (session: Session): Session => {
  if (countInjected(session) === 0) return session;
  const left = leftOpen(session);
  return { ...session, entries: session.entries.filter((one) => !left.has(one)).flatMap(received) };
};

const received = (one: NumberedEntry): NumberedEntry[] => {
  const { dir, injected = '', line } = one.entry;
  if (dir !== 'in' || injected === '') return [one];
  const kind = injectedKind(injected);
  if (kind === 'drop') return [];
  if (kind === 'double') return [one, one];
  return [{ ...one, entry: withLength({ ...one.entry, line: damagedText(kind, line) }) }];
};

const leftOpen = (session: Session): ReadonlySet<NumberedEntry> => {
  const isEnd = ({ entry }: NumberedEntry) => entry.dir === 'note' && entry.injected !== undefined;
  if (!session.entries.some(isEnd)) return new Set();
  const { calls, messages } = toSessionIndex(session);
  const open = new Set(
    calls
      .filter(({ from, outcome }) => from === 'client' && outcome === 'open')
      .map(({ request }) => messages[request]?.lineNumber),
  );
  return new Set(session.entries.filter((one) => isEnd(one) || one.entry.dir === 'exit' || open.has(one.lineNumber)));
};
