/** What playing a server emits: lines to send, and remarks for the person who watches. */

import { toJson } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { renameRequests } from '../../protocol/jsonrpc/requestNames';
import { withClientValues } from './clientValues';
import type { ReleasedLine } from './playbackSession';

const NOT_RECORDED = -32050;

/** A line to send. */
export type PlayedLine = {
  kind: 'line';
  line: string;
  /** The time of the client line before it. */
  fromMs: number;
  /** How long after `fromMs` it was sent in the recording. */
  afterMs: number;
  /** Of an HTTP response that is an error. */
  status?: number;
};

/** A text for the person who watches. */
export type Remark = {
  kind:
    | 'unrecorded' // the client sent what the recording does not have
    | 'substituted' // a line was taken for a similar one
    | 'session' // which session of several is played
    | 'next' // the line that waits for a step
    | 'unplayed' // the session ended before the recording
    | 'fault' // a line was not sent as it is, or how the client reacts to a fault
    | 'crash'; // the server ends as if it had crashed
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
