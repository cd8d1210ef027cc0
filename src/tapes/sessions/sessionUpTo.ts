/** The beginning of a session, for a client that takes over after it. */

import { TapeError } from '../files/tapeError';
import type { Session } from '../format/tape';

/**
 * The session up to a line of its tape; its input does not end there. Throws TapeError where the session has no such line, and where its
 * client sent nothing up to it. @param at Infinity is all of it
 */
export const sessionUpTo = (session: Session, at: number): Session => {
  const last = session.entries.at(-1)?.lineNumber ?? 0;
  if (Number.isFinite(at) && at > last) {
    throw new TapeError(
      `line ${at} is beyond the session, which ends at line ${last}; without --at all of it is played`,
    );
  }
  const entries = session.entries.filter(({ lineNumber, entry }) => lineNumber <= at && entry.dir !== 'note');
  if (!entries.some(({ entry }) => entry.dir === 'in')) throw new TapeError(`the client sent nothing up to line ${at}`);
  return { ...session, entries: entries.filter(({ entry }) => entry.dir !== 'exit') };
};
