/** Appends lines to the log of a thread, with what they change of its summary. */
import { from, map, mergeScan, type Observable } from 'rxjs';
import { cutBytes } from '../../streams/bytes/toBuffer';
import { toSummaryTexts } from '../../threads/listing/threadSummary';
import type { NatsAppend } from '../link/natsLink';
import { appendAfter } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';
import { logGone, takenOver } from './lease';
import { readWriter, type ThreadFacts, type ThreadPlace, toThreadHeaders } from './threadPlace';

/** What a process knows of the log of a thread. */
export type LogState = {
  /** Sequence of its last message. */
  seq: number;
  facts: ThreadFacts;
  /** Its first lines, while no prompt was found in them. */
  head: string;
};

export type AppendDeps = {
  place: Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>;
  id: string;
  /** Who writes. */
  self: { host: string; pid: number };
  /** Never returns the same id twice. */
  newId: () => string;
};

const HEADERS_BYTES = 16_384;
const MAX_HEAD_CHARS = 1_048_576;

/** Emits the state after each message; '' is a message without lines, which shows who writes from now on. Errors as `appendFenced`. */
export const appendText = (
  { place, id, self, newId }: AppendDeps,
  before: LogState,
  text: string,
): Observable<LogState> =>
  from(cutBytes(Buffer.from(text), Math.max(HEADERS_BYTES, place.link.maxPayload - HEADERS_BYTES))).pipe(
    mergeScan(
      (state: LogState, data: Uint8Array) => {
        const size = state.facts.size + data.length;
        const facts = { ...state.facts, size };
        const message = { id, seq: state.seq, messageId: newId(), data, headers: toThreadHeaders(facts, self) };
        return appendFenced(place, message).pipe(map((seq) => ({ ...state, seq, facts })));
      },
      withTexts(before, text),
      1,
    ),
  );

const withTexts = (state: LogState, text: string): LogState => {
  if (text === '' || state.facts.preview !== '' || state.head.length > MAX_HEAD_CHARS) return state;
  const head = state.head + text;
  const facts = { ...state.facts, ...toSummaryTexts(head) };
  return { ...state, facts, head: facts.preview === '' ? head : '' };
};

type FencedAppend = Required<Pick<NatsAppend, 'data' | 'headers'>> & {
  id: string;
  /** Of the last message of the thread, which this process wrote or read; 0 for none: the fencing token. */
  seq: number;
  /** Different for each message. */
  messageId: string;
};

const ACK_MS = 2_000;

/**
 * Emits the sequence of the message, once the server has it. A message without a response, or that is still being stored, is sent again until it is
 * stored; by its id it counts once. Errors with ThreadError if another process has written to the thread since; then nothing of the message is stored.
 *   link   -t            (t no response in time)
 *   link       --a
 *   out    -------(s|)
 */
export const appendFenced = (
  { link, stream, subjectOf }: Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>,
  { id, seq, messageId, ...message }: FencedAppend,
): Observable<number> => {
  const append = appendAfter({
    link,
    stream,
    taken: (last) => (last === undefined ? logGone(id) : takenOver(id, readWriter(last.headers))),
  });
  const fenced = { ...message, subject: subjectOf(id), id: messageId, expectSubjectSeq: seq, timeoutMs: ACK_MS };
  return append(fenced).pipe(
    retryPassing(),
    map((appended) => appended.seq),
  );
};
