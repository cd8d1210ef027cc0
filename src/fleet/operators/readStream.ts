/** Reading a stream across lost consumers and connections, each message once. */
import { defer, type Observable, type OperatorFunction, tap } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { flatten, mapAccum } from '../../streams/gather';
import type { NatsConsume, NatsConsumed, NatsLink, NatsStored } from '../link/natsLink';
import { retryPassing } from './retryPassing';

/**
 * `gap`: the stream holds these sequences no more; which subjects they had is not known. `caughtUp`: all was read that the stream held when
 * the consumer began, or that came meanwhile; once for each consumer.
 */
export type NatsRead = NatsStored | { kind: 'gap'; fromSeq: number; toSeq: number } | { kind: 'caughtUp' };

/**
 * Emits the messages of a subject from a sequence on, in order, none twice, then those that come. A lost consumer, or one that skipped a message,
 * is replaced by another at the next sequence, without end. A stream that was removed and recreated is read from its beginning, and so is one whose new leader
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
        if (typeof from !== 'number' || lastSeq >= from - 1) return; // numbers do not go back, even where a stream is emptied
        from = 1;
        throw new NatsError('timeout', `the stream ${wanted.stream} was made anew`);
      };
      return defer(() => link.consume({ ...wanted, from }).pipe(inOrder(from, begin))).pipe(
        tap((read) => {
          if (read.kind === 'message') from = read.seq + 1;
        }),
        retryPassing(),
      );
    });

type OnBegin = (begin: Extract<NatsConsumed, { kind: 'begin' }>) => void;

/** What is known of one consumer: the order of its last message, and whether it has caught up. */
type Progress = { order: number; isCaughtUp: boolean };

/** The messages of one consumer; errors at one that it skipped. */
const inOrder = (from: NatsConsume['from'], onBegin: OnBegin): OperatorFunction<NatsConsumed, NatsRead> => {
  const step = ({ order, isCaughtUp }: Progress, consumed: NatsConsumed) => {
    if (consumed.kind === 'begin') onBegin(consumed);
    const next = consumed.kind === 'message' ? order + 1 : order;
    if (consumed.kind === 'message' && consumed.order !== next)
      throw new NatsError('timeout', `message ${next} of a consumer was skipped`);
    const isAtEnd = !isCaughtUp && consumed.pending === 0;
    const output: NatsRead[] = [...toReads(from, consumed), ...(isAtEnd ? [{ kind: 'caughtUp' } as const] : [])];
    return { state: { order: next, isCaughtUp: isCaughtUp || isAtEnd }, output };
  };
  return (consumed$) => consumed$.pipe(mapAccum(step, { order: 0, isCaughtUp: false }), flatten());
};

const toReads = (from: NatsConsume['from'], consumed: NatsConsumed): NatsRead[] => {
  if (consumed.kind === 'message') return [consumed];
  const isGap = typeof from === 'number' && consumed.firstSeq > Math.max(from, 1);
  return isGap ? [{ kind: 'gap', fromSeq: Math.max(from, 1), toSeq: consumed.firstSeq - 1 }] : [];
};
