/** Splits the items of a tape file into sessions and problems. */
import type { LineProblem, Session, TapeItem } from './tape';

/** The sessions of a file in their order, and its problems. Entries before the first `meta` are a session too. */
export const toSessions = (items: readonly TapeItem[]): { sessions: Session[]; problems: LineProblem[] } => {
  const sessions: Session[] = [];
  const problems: LineProblem[] = [];
  for (const item of items) {
    if (item.kind === 'meta') sessions.push({ meta: item.meta, entries: [] });
    else if (item.kind === 'entry') {
      if (sessions.length === 0) sessions.push({ meta: {}, entries: [] });
      sessions.at(-1)?.entries.push({ lineNumber: item.lineNumber, entry: item.entry });
    } else problems.push({ lineNumber: item.lineNumber, reason: item.reason });
  }
  return { sessions, problems };
};

/** Whether a line was recorded between client and server, rather than at an inner seam. */
export const isOnWire = ({ seam }: { seam?: string }): boolean => seam === undefined || seam === 'mcp';
