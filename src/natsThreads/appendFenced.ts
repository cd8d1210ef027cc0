/** Appends to the subject of a thread, which only the process may that wrote last. */
import { catchError, defer, map, type Observable, of, retry, switchMap, throwError, timer } from 'rxjs';
import { isPassing, type NatsAppend, NatsError } from '../transport/nats';
import { takenOver } from './holder';
import { readWriter } from './threadFacts';
import type { ThreadPlace } from './threadPlace';

/**
 * `seq` of the last message of the thread, which this process wrote or read, 0 for none: the fencing token. `messageId` is another one for
 * each message.
 */
export type FencedAppend = Required<Pick<NatsAppend, 'data' | 'headers'>> & {
  id: string;
  seq: number;
  messageId: string;
};

const ACK_MS = 2_000;
const RETRY_MS = 200;
const MESSAGE_ID = 'Nats-Msg-Id';

/**
 * Emits the sequence of the message, once the server has it. What had no response is sent again, without end, and counts once by its id.
 * Errors with ThreadError where another process has written to the thread since, of which nothing of this message is stored.
 *   link   -t            (t no response in time)
 *   link       --a
 *   out    -------(s|)
 */
export const appendFenced = (
  { link, stream, subjectOf }: Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>,
  { id, seq, messageId, ...message }: FencedAppend,
): Observable<number> => {
  const subject = subjectOf(id);
  const append = { ...message, subject, id: messageId, expectSubjectSeq: seq, timeoutMs: ACK_MS };
  return defer(() => link.append(append)).pipe(
    map((appended) => appended.seq),
    catchError((error: unknown) =>
      error instanceof NatsError && error.kind === 'conflict'
        ? link.lastOf(stream, subject).pipe(
            switchMap((last) =>
              last?.headers[MESSAGE_ID] === messageId // of an attempt before, whose response was lost
                ? of(last.seq)
                : throwError(() => takenOver(id, last && readWriter(last.headers))),
            ),
          )
        : throwError(() => error),
    ),
    retry({ delay: (error) => (isPassing(error) ? timer(RETRY_MS) : throwError(() => error)) }),
  );
};
