/** What playing a server emits: lines to send, and remarks for the person who watches. */

import { toJson } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { renameRequests } from '../../protocol/jsonrpc/requestNames';
import { withClientValues } from './clientValues';
import type { ReleasedLine } from './playbackSession';

/** The code of the error for a request that was not recorded, or not answered as it was. */
const NOT_RECORDED = -32050;

/** A line to send, `afterMs` of the recording after `fromMs`; `status` is that of an HTTP response that is an error. */
export type PlayedLine = { kind: 'line'; line: string; fromMs: number; afterMs: number; status?: number };

/**
 * `unrecorded`: the client sent what the recording does not have. `substituted`: a line was taken for a similar one.
 * `session`: which session of several is played. `next`: the line that waits for a step. `unplayed`: the session ended before the recording.
 * `fault`: a line was not sent as it is, or what the client makes of it. `crash`: the server ends as if it had crashed.
 */
export type Remark = {
  kind: 'unrecorded' | 'substituted' | 'session' | 'next' | 'unplayed' | 'fault' | 'crash';
  text: string;
};

/** A line to send, or a remark. */
export type PlaybackEvent = PlayedLine | Remark;

/** A recorded line, with the request names and the values of this client. */
export const toLine = ({ line, renamings, values, fromMs, afterMs }: ReleasedLine): PlaybackEvent => ({
  kind: 'line',
  line: withClientValues(renameRequests(line, renamings), values),
  fromMs,
  afterMs,
  ...(line.status !== undefined && { status: line.status }),
});

/** The error response for a request that cannot be answered as recorded. */
export const toErrorLine = (id: RequestId, message: string, data?: unknown): PlaybackEvent => ({
  kind: 'line',
  line: toJson({ jsonrpc: '2.0', id, error: { code: NOT_RECORDED, message, data } }),
  fromMs: 0,
  afterMs: 0,
});
