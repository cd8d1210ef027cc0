/** The states of a connection, from the events that the client emits; changes are logged here. */
import type { Status } from '@nats-io/transport-node';
import {
  connect,
  delay,
  distinctUntilChanged,
  ignoreElements,
  map,
  merge,
  type Observable,
  startWith,
  tap,
} from 'rxjs';
import type { Log } from '../../protocol/log';
import { mapMulti } from '../../streams/mapMulti';
import type { NatsState } from './natsLink';
import { toNatsError } from './toNatsError';

/** `server` that it is connected to; `isReceived` is true for an error that a caller has received. */
export type NatsStatesDeps = { server: string; log: Log; isReceived: (error: Error) => boolean };

/** A state, with the server that is lost. */
type Seen = { kind: NatsState['kind']; server: string };

/**
 * Emits the state now, and each that differs from the one before: the client reports a lost server again at each attempt. Logs the changes, and, a turn
 * later, the errors that no caller has received by then. Completes and errors with the source.
 *   status  -d-d-r-     (d disconnect, r reconnect)
 *   out     cd---c-
 */
export const natsStates =
  ({ server, log, isReceived }: NatsStatesDeps) =>
  (status$: Observable<Status>): Observable<NatsState> =>
    status$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(toChanges(), tap(logChange(log)), startWith<Seen>({ kind: 'connected', server }), map(toState)),
          shared$.pipe(toErrors(), delay(0), tap(logError(log, isReceived)), ignoreElements()),
        ),
      ),
    );

const toChanges = () => (status$: Observable<Status>) =>
  status$.pipe(
    mapMulti((status, emit: (seen: Seen) => void) => {
      if (status.type === 'reconnect') emit({ kind: 'connected', server: status.server });
      if (status.type === 'disconnect') emit({ kind: 'reconnecting', server: status.server });
    }),
    distinctUntilChanged((before, seen) => before.kind === seen.kind),
  );

const toErrors = () =>
  mapMulti((status: Status, emit: (error: Error) => void) => {
    if (status.type === 'error') emit(status.error);
  });

const toState = ({ kind, server }: Seen): NatsState => (kind === 'connected' ? { kind, server } : { kind });

const logChange =
  (log: Log) =>
  ({ kind, server }: Seen): void =>
    log('warning', kind === 'connected' ? `NATS: connected again to ${server}` : `NATS: lost ${server}, reconnecting`);

const logError = (log: Log, isReceived: NatsStatesDeps['isReceived']) => (error: Error) => {
  if (!isReceived(error)) log('warning', toNatsError('NATS', error).message);
};
