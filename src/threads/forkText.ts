/** Makes the rollout of a thread with the same past as another. */
import { isObject } from '../protocol/jsonrpc/json';
import { parseLines } from './lines/parseLines';
import { isSessionStart, toSessionStart } from './lines/sessionStart';
import type { RolloutFile } from './listing/rolloutFiles';
import { ThreadError } from './threadError';

/** The new thread; `from` names the old one in errors. */
export type Fork = { id: string; startedMs: number; from: Pick<RolloutFile, 'id' | 'path'> };

/**
 * The lines of the old thread after a first line of the new one; all of them, also those of unknown kinds, but not a last one that is still
 * being written. Throws ThreadError where the text does not begin as a rollout.
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
