/** Owns parting what a file holds into sessions and troubles. */
import type { Session, TapeItem, Trouble } from './tape';

/** The sessions of a file in their order, and what is wrong with it. Entries before the first `meta` are a session too. */
export const toSessions = (items: readonly TapeItem[]): { sessions: Session[]; troubles: Trouble[] } => {
  const sessions: Session[] = [];
  const troubles: Trouble[] = [];
  for (const item of items) {
    if (item.kind === 'meta') sessions.push({ meta: item.meta, entries: [] });
    else if (item.kind === 'entry') {
      if (sessions.length === 0) sessions.push({ meta: {}, entries: [] });
      sessions.at(-1)?.entries.push({ lineNumber: item.lineNumber, entry: item.entry });
    } else troubles.push({ lineNumber: item.lineNumber, reason: item.reason });
  }
  return { sessions, troubles };
};

/** What was said at the joint between client and server. */
export const isOnWire = ({ seam }: { seam?: string }): boolean => seam === undefined || seam === 'mcp';
