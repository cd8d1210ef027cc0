/** Finds why a session that was played again ended before the recorded one. */
import { type SessionIndex, toServerEnd } from '../../session';
import { counted } from '../../text';

/**
 * The cause, with what the server wrote last on stderr. Undefined where the client sent all its lines and the server responded to as many requests as before, or
 * is still there.
 */
export const causeOfEnd = (recorded: SessionIndex, now: SessionIndex): string | undefined => {
  const [all, some] = [countLines(recorded), countLines(now)];
  const { exit } = now;
  if (some < all) {
    const cause = exit === undefined || isStopped(exit) ? 'the server did not respond in time' : causeOf(now, exit);
    return `${cause}; the client got to send ${some} of its ${all} lines`;
  }
  const missing = countAnswered(recorded) - countAnswered(now);
  if (missing <= 0 || exit === undefined || exit.code === 0 || exit.code === recorded.exit?.code) return undefined;
  return `${causeOf(now, exit)}; it did not respond to ${counted(missing, 'request')}`;
};

type Exit = NonNullable<SessionIndex['exit']>;

/** By a signal that ends a server which does not respond; a crash raises another one. */
const isStopped = (exit: Exit): boolean => exit.code === null && !toServerEnd(exit).isFailure;

const MAX_CHARS = 200;

const causeOf = ({ entries }: SessionIndex, exit: Exit): string => {
  const last = entries.findLast(({ entry: { dir, line } }) => dir === 'err' && line.trim() !== '')?.entry.line;
  return `the server ended ${toServerEnd(exit).text}${last === undefined ? '' : ` (${last.trim().slice(0, MAX_CHARS)})`}`;
};

const countLines = ({ clientLines }: SessionIndex): number => clientLines.filter(({ kind }) => kind === 'line').length;

const countAnswered = ({ calls }: SessionIndex): number =>
  calls.filter(({ from, response }) => from === 'client' && response !== undefined).length;
