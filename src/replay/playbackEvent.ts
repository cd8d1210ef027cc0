/** Owns what a playing tape says: lines of the recording, errors for what it does not hold, words for who looks on. */
import { type RequestId, toJson } from '../protocol/jsonrpc';
import { renameRequests } from '../session';
import type { ReleasedLine } from './playbackSession';
import { NOT_RECORDED } from './unrecorded';

/** What playing comes to: a line to tell, `trouble` when the client leaves the recording,
 * `guess` when a line is taken for another one, `next` which line waits for a step, `rest` when it ended before it. */
export type PlaybackEvent =
  | { kind: 'line'; line: string; fromMs: number; afterMs: number }
  | { kind: 'trouble'; text: string }
  | { kind: 'guess'; text: string }
  | { kind: 'next'; text: string }
  | { kind: 'rest'; text: string };

/** A line of the recording under the names of this client. */
export const toLine = ({ told, renamings, fromMs, afterMs }: ReleasedLine): PlaybackEvent => ({
  kind: 'line',
  line: renameRequests(told, renamings),
  fromMs,
  afterMs,
});

/** The error that a request gets in place of an answer. */
export const toError = (id: RequestId, message: string, data?: unknown): PlaybackEvent => ({
  kind: 'line',
  line: toJson({ jsonrpc: '2.0', id, error: { code: NOT_RECORDED, message, data } }),
  fromMs: 0,
  afterMs: 0,
});
