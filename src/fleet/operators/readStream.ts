/** Reading a stream across lost consumers and connections, each message once; or what it holds of one subject. */
import {
  defer,
  EMPTY,
  type Observable,
  type OperatorFunction,
  switchMap,
  takeWhile,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { noBackpressure } from '../../streams/backpressure';
import { flatten, mapAccum } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import { inputFirst } from '../../streams/time/limits';
import type { NatsConsume, NatsConsumed, NatsLink, NatsStored } from '../link/natsLink';
import { retryPassing } from './retryPassing';

/** What reading a stream emits. */
export type NatsRead =
  | NatsStored
  /** All was read that the stream held when the consumer began, or that came meanwhile; once for each consumer. */
  | { kind: 'caughtUp' };

/**
 * Emits the messages of a subject from a sequence on, in order, none twice, and then new messages. A lost consumer, or a consumer that skipped a message,
 * is replaced at the next sequence, without end. A stream that was removed and recreated is read from its beginning, and so is a stream whose new leader
 * does not know its last messages yet: then some are emitted again. Never completes; errors with what does not pass, such as `absent` and `refused`.
 *   consumer 1  b-1-2-#              (b begin, # lost)
 *   consumer 2         b-3---4
 *   out         --1-2----3---4       (without caughtUp)
 */
export const readStream =
  (link: Pick<NatsLink, 'consume'>) =>
  (wanted: NatsConsume): Observable<NatsRead> =>
    defer(() => {
      let from = wanted.from; // moves on with each message
      const begin: OnBegin = ({ lastSeq }) => {
        if (typeof from !== 'number' || lastSeq >= from - 1) return; // numbers do not go back, even if a stream is emptied
        from = 1;
        throw new NatsError('timeout', `the stream ${wanted.stream} was recreated`);
      };
      return defer(() => link.consume({ ...wanted, from }).pipe(inOrder(begin))).pipe(
        tap((read) => {
          if (read.kind === 'message') from = read.seq + 1;
        }),
        retryPassing(),
      );
    });

type OnBegin = (begin: Extract<NatsConsumed, { kind: 'begin' }>) => void;

const inOrder = (onBegin: OnBegin): OperatorFunction<NatsConsumed, NatsRead> => {
  const step = ({ order, isCaughtUp }: { order: number; isCaughtUp: boolean }, consumed: NatsConsumed) => {
    if (consumed.kind === 'begin') onBegin(consumed);
    const next = consumed.kind === 'message' ? order + 1 : order;
    if (consumed.kind === 'message' && consumed.order !== next)
      throw new NatsError('timeout', `message ${next} of a consumer was skipped`);
    const isAtEnd = !isCaughtUp && consumed.pending === 0;
    const read = consumed.kind === 'message' ? [consumed] : [];
    const output: NatsRead[] = [...read, ...(isAtEnd ? [{ kind: 'caughtUp' } as const] : [])];
    return { state: { order: next, isCaughtUp: isCaughtUp || isAtEnd }, output };
  };
  return (consumed$) => consumed$.pipe(mapAccum(step, { order: 0, isCaughtUp: false }), flatten());
};

/** How long the next message may take; its server may have to come back first. */
const SILENCE_MS = 30_000;

/**
 * Emits the messages of a subject up to the last message of now, in order, and completes. The leader of the stream names the last message: a consumer
 * runs on any server of a cluster, and a server that was away does not know at first what it has missed. Errors as `readStream`, and with
 * `timeout` if the next message does not come, as when it was removed meanwhile.
 *   last     --3
 *   stream     1-2--3-4
 *   out      --1-2--(3|)
 */
export const readStored =
  (link: Pick<NatsLink, 'consume' | 'lastOf'>) =>
  (stream: string, subject: string): Observable<NatsStored> =>
    defer(() => link.lastOf(stream, subject)).pipe(
      switchMap((last) => {
        if (last === undefined) return EMPTY;
        return readStream(link)({ stream, subject, from: 1, backpressure: noBackpressure }).pipe(
          ofKind('message'),
          takeWhile(({ seq }) => seq < last.seq, true),
          timeout({ each: SILENCE_MS, scheduler: inputFirst, with: () => throwError(() => late(stream, last)) }),
        );
      }),
    );

const late = (stream: string, { seq }: NatsStored): NatsError =>
  new NatsError('timeout', `reading ${stream}: message ${seq} did not come; it was removed, or its server is away`);
