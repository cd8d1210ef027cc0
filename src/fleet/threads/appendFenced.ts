/** Appends to the subject of a thread, which only the process that wrote last may do. */
import { map, type Observable } from 'rxjs';
import type { NatsAppend } from '../link/natsLink';
import { appendAfter } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';
import { takenOver } from './holder';
import { readWriter } from './threadFacts';
import type { ThreadPlace } from './threadPlace';

/**
 * `seq` of the last message of the thread, which this process wrote or read, 0 for none: the fencing token. `messageId` is different for
 * each message.
 */
export type FencedAppend = Required<Pick<NatsAppend, 'data' | 'headers'>> & {
  id: string;
  seq: number;
  messageId: string;
};

const ACK_MS = 2_000;

/**
 * Emits the sequence of the message, once the server has it. A message without a response, or one that is still being stored, is sent again until it is
 * stored; by its id it counts once. Errors with ThreadError where another process has written to the thread since; then nothing of the message is stored.
 *   link   -t            (t no response in time)
 *   link       --a
 *   out    -------(s|)
 */
export const appendFenced = (
  { link, stream, subjectOf }: Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>,
  { id, seq, messageId, ...message }: FencedAppend,
): Observable<number> => {
  const append = appendAfter({ link, stream, taken: (last) => takenOver(id, last && readWriter(last.headers)) });
  const fenced = { ...message, subject: subjectOf(id), id: messageId, expectSubjectSeq: seq, timeoutMs: ACK_MS };
  return append(fenced).pipe(
    retryPassing(),
    map((appended) => appended.seq),
  );
};
