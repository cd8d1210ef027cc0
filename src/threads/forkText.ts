/** Makes the rollout of a thread with the same past as another. */
import { isObject } from '../protocol/jsonrpc/json';
import { parseLines } from './lines/readRolloutLine';
import { isSessionStart, toSessionStart } from './lines/sessionStart';
import type { RolloutFile } from './listing/rolloutFiles';
import { ThreadError } from './threadError';

/** The new thread. */
export type Fork = {
  id: string;
  startedMs: number;
  /** The old thread, for errors. */
  from: Pick<RolloutFile, 'id' | 'path'>;
};

/**
 * All lines of the old thread, also lines of unknown kinds, after a first line of the new thread. A last line that is still being written is
 * left out. Throws ThreadError if the text does not begin as a rollout.
 */
export const forkText = (text: string, { id, startedMs, from }: Fork): string => {
  const end = text.indexOf('\n');
  const [head] = parseLines(text.slice(0, end));
  if (head === undefined || !isSessionStart(head)) {
    throw new ThreadError(`The thread ${from.id} cannot be forked: ${from.path} does not begin as a rollout.`);
  }
  const timestamp = new Date(startedMs).toISOString();
  const own = { id, session_id: id, timestamp, forked_from_id: toSessionStart(head).threadId };
  const payload = isObject(head.payload) ? { ...head.payload, ...own } : { ...head, ...own };
  const first = isObject(head.payload) ? { ...head, timestamp, payload } : payload;
  return `${JSON.stringify(first)}${text.slice(end, text.lastIndexOf('\n') + 1)}`;
};
