/** What ends a message for a stream without an acknowledgement. */
import type { Status } from '@nats-io/transport-node';
import { filter, map, merge, type Observable } from 'rxjs';
import { mapMulti } from '../../../streams';
import { connectionLost, type NatsOwn } from '../natsConnection';

/** `error` makes the error of each message under way that is lost: the first one of `subject`, or all where there is no subject. */
export type AckLoss = { subject?: string; error: (one: { subject: string }) => unknown };

/** What was done with a message, for its error. */
export const whatOf = ({ subject }: { subject: string }): string => `writing to ${subject}`;

/**
 * Emits when the connection is lost, and for each denial of a message.
 *   state   c-r-----c     (c connected, r reconnecting)
 *   status  ----d         (d the login may not publish there)
 *   out     --L-D
 */
export const ackLosses = ({
  state$,
  status$,
}: Pick<NatsOwn, 'state$'> & { status$: Observable<Status> }): Observable<AckLoss> =>
  merge(
    state$.pipe(
      filter(({ kind }) => kind === 'reconnecting'),
      map((): AckLoss => ({ error: (one) => connectionLost(whatOf(one)) })),
    ),
    status$.pipe(
      mapMulti<Status, AckLoss>((status, emit) => {
        if (status.type !== 'error') return;
        const { error } = status;
        if (isDenial(error)) emit({ subject: error.subject, error: () => error });
      }),
    ),
  );

/** Source: @nats-io/nats-core 3.4, errors.d.ts. */
const isDenial = (error: Error): error is Error & { subject: string } =>
  error.name === 'PermissionViolationError' && (error as { operation?: unknown }).operation === 'publish';
