/** Gives every message of a session its look, and every entry that holds none. */
import { type IndexedEntry, type SessionIndex, seamOutcomeOf, toExit } from '../session';
import { CHANCE_SEAM, type Entry } from '../tape';
import type { Drawn } from './chart';
import { type LogEntry, lookOfLog, lookOfMessage, lookOfSeam } from './lookOf';

/** What is drawn of a session, in its order: an entry once, a batch once for each message. What was drawn by chance is left out. */
export const toLooks = (session: SessionIndex): Drawn[] => {
  const names = new Map<number, string>(); // of the requests so far, by call
  return session.entries.flatMap((entry, index): Drawn[] => {
    if (entry.entry.seam === CHANCE_SEAM) return [];
    const place = { entry: index, t: entry.entry.t };
    if (entry.messages.length === 0) return [{ ...place, ...drawEntry(session, entry, index) }];
    return entry.messages.map((message) => {
      const look = lookOfMessage(message, names.get(message.owner ?? -1));
      if (message.call !== undefined) names.set(message.call, look.name);
      return { ...place, look, part: message.part, message: message.index, thread: message.thread };
    });
  });
};

const drawEntry = (session: SessionIndex, { entry, seamCall }: IndexedEntry, index: number) => {
  const { dir, seam = 'mcp', call } = entry;
  if (seam === 'mcp') return { look: lookOfLog({ kind: kindOf(session, entry, index), dir }) };
  return {
    look: lookOfSeam({ dir, seam, call, outcome: seamOutcomeOf(entry) }),
    thread: session.seamCalls[seamCall ?? -1]?.thread,
  };
};

const kindOf = ({ inputEnded }: SessionIndex, { dir, line }: Entry, index: number): LogEntry['kind'] => {
  if (index === inputEnded) return 'ended';
  if (dir === 'exit') return toExit(line).code === 0 ? 'ended' : 'failed';
  return dir === 'err' ? 'stderr' : 'note';
};
