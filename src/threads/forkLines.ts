/** Makes the rollout of a thread with the same past as another. */
import type { OperatorFunction } from 'rxjs';
import { isObject } from '../protocol/jsonrpc/json';
import { gather } from '../streams/gather';
import { parseLine } from './lines/readRolloutLine';
import { isSessionStart, toSessionStart } from './lines/sessionStart';
import type { RolloutFile } from './listing/rolloutFiles';
import { ThreadError } from './threadError';

/** The new thread. */
type Fork = {
  id: string;
  startedMs: number;
  /** The old thread, for errors. */
  from: Pick<RolloutFile, 'id' | 'path'>;
};

/** UTF-16 units after which a text ends, with the line that reaches them. */
const TEXT_CHARS = 1_048_576;

/**
 * All lines of the old thread, also lines of unknown kinds, after a first line of the new thread, as texts of whole lines. A last line that is still being
 * written is left out. Errors with ThreadError if the lines do not begin as a rollout.
 *   lines  -ab-c-(d|)     (d is cut off)
 *   out    ------(T|)     (T the lines A, b and c, where A names the new thread)
 */
export const forkLines = (fork: Fork): OperatorFunction<readonly string[], string> =>
  gather(() => {
    let text = '';
    let last: string | undefined; // it may be cut off
    let isBegun = false;
    const add = (line: string) => {
      text += `${isBegun ? line : firstLine(line, fork)}\n`;
      isBegun = true;
    };
    return {
      next: (lines, emit) => {
        for (const line of lines) {
          if (last !== undefined) add(last);
          last = line;
        }
        if (text.length < TEXT_CHARS) return;
        emit(text);
        text = '';
      },
      end: (emit) => {
        if (!isBegun || isWhole(last)) add(last ?? '');
        emit(text);
      },
    };
  });

const isWhole = (line = ''): boolean => parseLine(line).length > 0;

const firstLine = (line: string, { id, startedMs, from }: Fork): string => {
  const [head] = parseLine(line);
  if (head === undefined || !isSessionStart(head)) {
    throw new ThreadError(`The thread ${from.id} cannot be forked: ${from.path} does not begin as a rollout`);
  }
  const timestamp = new Date(startedMs).toISOString();
  const own = { id, session_id: id, timestamp, forked_from_id: toSessionStart(head).threadId };
  const payload = isObject(head.payload) ? { ...head.payload, ...own } : { ...head, ...own };
  return JSON.stringify(isObject(head.payload) ? { ...head, timestamp, payload } : payload);
};
