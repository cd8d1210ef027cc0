/** What an executor reports of a session: which of its stored events were not acknowledged. */
import { isObject } from '../../protocol/jsonrpc/json';

/** What an executor reports of a session. */
export type UnreadReport = {
  /** All messages of the session before this sequence were acknowledged, or belong to an earlier client. */
  from: number;
  /** Processes whose stored events through `throughSeq` were not acknowledged; only some, if there are many. */
  unread: readonly { processId: string; throughSeq: number }[];
};

/** The header with which a client asks an executor for the report of this session. */
export const SESSION_HEADER = 'Codex-Rx-Session';

const MAX_PROCESSES = 256;

/** The bytes of a report. */
export const encodeReport = ({ from, unread }: UnreadReport): Uint8Array =>
  Buffer.from(JSON.stringify({ from, unread: unread.slice(0, MAX_PROCESSES) }));

/** undefined for what is no report, such as the status of an executor that knows none. */
export const decodeReport = (data: Uint8Array): UnreadReport | undefined => {
  const value = parsed(Buffer.from(data).toString());
  if (!isObject(value) || !isCount(value.from) || !Array.isArray(value.unread)) return undefined;
  return { from: value.from, unread: value.unread.slice(0, MAX_PROCESSES).filter(isUnread) };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isUnread = (value: unknown): value is UnreadReport['unread'][number] =>
  isObject(value) && typeof value.processId === 'string' && isCount(value.throughSeq);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
