/** Gives every message of a session its look, and every entry that holds none. */

import type { Entry } from '../format/tape';
import { endOf } from '../session/endOf';
import { seamOutcomeOf } from '../session/pairSeamCalls';
import type { IndexedEntry, SessionIndex } from '../session/sessionIndex';
import type { Drawn } from './chart';
import { isDrawn } from './isDrawn';
import { type LogEntry, lookOfLog, lookOfMessage, lookOfSeam } from './lookOf';

/** What is drawn of a session, in its order: an entry once, a batch once for each message. What `isDrawn` excludes is left out. */
export const toLooks = (session: SessionIndex): Drawn[] => {
  const names = new Map<number, string>(); // of the requests so far, by call
  return session.entries.flatMap((entry, index): Drawn[] => {
    if (!isDrawn(entry.entry)) return [];
    const { t } = entry.entry;
    if (entry.messages.length === 0) return [{ entry: index, t, ...drawEntry(session, entry, index) }];
    return entry.messages.map((message): Drawn => {
      const look = lookOfMessage(message, names.get(message.owner ?? -1));
      if (message.call !== undefined) names.set(message.call, look.name);
      return { look, entry: index, t, part: message.part, message: message.index, thread: message.thread };
    });
  });
};

const drawEntry = (session: SessionIndex, { entry, seamCall }: IndexedEntry, index: number) => {
  const { dir, seam = 'mcp', call } = entry;
  if (seam === 'mcp') return { look: lookOfLog(toLogEntry(session, entry, index)) };
  return {
    look: lookOfSeam({ dir, seam, call, outcome: seamOutcomeOf(entry) }),
    thread: session.seamCalls[seamCall ?? -1]?.thread,
  };
};

const toLogEntry = ({ inputEnded }: SessionIndex, { dir, line }: Entry, index: number): LogEntry => {
  if (index === inputEnded) return { kind: 'ended', name: 'the input of the client ended' };
  if (dir === 'exit') {
    const { text, isFailure } = endOf(line);
    return { kind: isFailure ? 'failed' : 'ended', name: `the server ended ${text}` };
  }
  return dir === 'err' ? { kind: 'stderr', name: 'stderr' } : { kind: 'note', name: dir };
};
