/** What an executor knows of the readers of a session. */
import { fromToken, lastToken } from '../../transport/nats';
import type { PublishedEntry } from './publishedEntry';
import type { UnreadReport } from './unreadReport';

/** @param entries of the session's processes; @param lastSeq the number of the stream's last message, or of one before it */
export const reportOf = (entries: readonly PublishedEntry[], lastSeq: number): UnreadReport => ({
  from: Math.min(lastSeq + 1, ...entries.filter(isBehind).map(firstMissed)),
  unread: entries.flatMap(({ subject, account: { unread } }) => {
    const last = unread.at(-1);
    return last === undefined ? [] : [{ processId: fromToken(lastToken(subject)), throughSeq: last.throughSeq }];
  }),
});

/** Its reader may miss something of it: what it has not acknowledged, or never acknowledges, or what is on its way to the stream. */
const isBehind = ({ holdsOutput, account: { unread, unstored } }: PublishedEntry): boolean =>
  !holdsOutput || unread.length > 0 || unstored > 0;

const firstMissed = ({ account: { unread, passed } }: PublishedEntry): number => unread[0]?.seq ?? passed + 1;
