/** Finds why a session that was played again ended before the recorded one. */

import { counted } from '../../streams/text/counted';
import { toServerEnd } from '../session/endOf';
import type { SessionIndex } from '../session/sessionIndex';

/**
 * The cause, with what the server wrote last on stderr. Undefined where the client sent all its lines and the server responded to as many
 * requests as before, or is still there. @param endedBy which side began the end: a client that has waited for too long, or the server
 */
export const causeOfEnd = (
  recorded: SessionIndex,
  now: SessionIndex,
  endedBy: 'client' | 'server',
): string | undefined => {
  const [all, some] = [countLines(recorded), countLines(now)];
  const { exit } = now;
  if (some < all) {
    const isSilent = exit === undefined || endedBy === 'client';
    const cause = isSilent ? 'the server did not respond in time' : causeOf(now, exit);
    return `${cause}; the client got to send ${some} of its ${all} lines`;
  }
  const missing = countAnswered(recorded) - countAnswered(now);
  if (missing <= 0 || exit === undefined || exit.code === 0 || isSameEnd(exit, recorded.exit)) return undefined;
  return `${causeOf(now, exit)}; it did not respond to ${counted(missing, 'request')}`;
};

type Exit = NonNullable<SessionIndex['exit']>;

const isSameEnd = (now: Exit, recorded: Exit | undefined): boolean =>
  now.code === recorded?.code && now.signal === recorded.signal;

const MAX_CHARS = 200;

const causeOf = ({ entries }: SessionIndex, exit: Exit): string => {
  const last = entries.findLast(({ entry: { dir, line } }) => dir === 'err' && line.trim() !== '')?.entry.line;
  return `the server ended ${toServerEnd(exit).text}${last === undefined ? '' : ` (${last.trim().slice(0, MAX_CHARS)})`}`;
};

const countLines = ({ clientLines }: SessionIndex): number => clientLines.filter(({ kind }) => kind === 'line').length;

const countAnswered = ({ calls }: SessionIndex): number =>
  calls.filter(({ from, response }) => from === 'client' && response !== undefined).length;
