/** Finds why a session that was played again ended before the recorded one. */
import type { SessionIndex } from '../../session';
import { counted } from '../../text';

/**
 * The cause, with what the server wrote last on stderr. Undefined where the client sent all its lines and the server responded to as many requests as before, or
 * is still there.
 */
export const causeOfEnd = (recorded: SessionIndex, now: SessionIndex): string | undefined => {
  const [all, some] = [countLines(recorded), countLines(now)];
  const { code = null } = now.exit ?? {};
  if (some < all) {
    const cause = code === null ? 'the server did not respond in time' : endOf(now);
    return `${cause}; the client got to send ${some} of its ${all} lines`;
  }
  const missing = countAnswered(recorded) - countAnswered(now);
  if (missing <= 0 || now.exit === undefined || code === 0 || code === recorded.exit?.code) return undefined;
  return `${endOf(now)}; it did not respond to ${counted(missing, 'request')}`;
};

const MAX_CHARS = 200;

const endOf = ({ exit, entries }: SessionIndex): string => {
  const how = exit?.code === null ? `was ended by ${exit.signal}` : `ended with exit code ${exit?.code}`;
  const last = entries.findLast(({ entry: { dir, line } }) => dir === 'err' && line.trim() !== '')?.entry.line;
  return `the server ${how}${last === undefined ? '' : ` (${last.trim().slice(0, MAX_CHARS)})`}`;
};

const countLines = ({ clientLines }: SessionIndex): number => clientLines.filter(({ kind }) => kind === 'line').length;

const countAnswered = ({ calls }: SessionIndex): number =>
  calls.filter(({ from, response }) => from === 'client' && response !== undefined).length;
