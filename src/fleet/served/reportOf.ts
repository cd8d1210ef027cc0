/** What an executor knows of the readers of a session. */

import type { UnreadReport } from '../executor/unreadReport';
import { fromToken, lastToken } from '../link/tokens';
import type { PublishedEntry } from './publishedEntry';

/** @param entries of the session's processes; @param lastSeq the number of the stream's last message, or of one before it */
export const reportOf = (entries: readonly PublishedEntry[], lastSeq: number): UnreadReport => ({
  from: Math.min(lastSeq + 1, ...entries.filter(isBehind).map(firstMissed)),
  unread: entries.flatMap(({ subject, account: { unread } }) => {
    const last = unread.at(-1);
    return last === undefined ? [] : [{ processId: fromToken(lastToken(subject)), throughSeq: last.throughSeq }];
  }),
});

/**
 * Its reader may lack events: ones that it has not acknowledged, or never acknowledges, or that are on their way to the stream. An exit and a close have no
 * bytes, and the stream may have had them for long if its acknowledgement was lost: so a message that was sent (`sentAfter`) counts too.
 */
const isBehind = ({ holdsOutput, account: { unread, unstored, sentAfter } }: PublishedEntry): boolean =>
  !holdsOutput || unread.length > 0 || unstored > 0 || sentAfter !== undefined;

const firstMissed = ({ account: { unread, passed } }: PublishedEntry): number => unread[0]?.seq ?? passed + 1;
