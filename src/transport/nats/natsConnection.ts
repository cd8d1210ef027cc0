/** What the edges of one connection share. */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { asyncScheduler, Observable } from 'rxjs';
import { mapMulti } from '../../streams';
import { NatsError } from './natsError';
import type { NatsHeaders, NatsState } from './natsLink';
import type { NatsPackages } from './natsPackages';
import { toNatsError } from './toNatsError';

/** `state$` is that of the link; `inbox` begins the subjects of responses. */
export type NatsOwn = {
  connection: NatsConnection;
  stream: JetStreamClient;
  manager: JetStreamManager;
  packages: NatsPackages;
  maxPayload: number;
  inbox: string;
  state$: Observable<NatsState>;
};

const LIMIT_MS = 5_000;

type Call<T> = { what: string; run: () => Promise<T>; limitMs?: number };

/**
 * One call of the packages, as soon as there is a connection: emits its result and completes. Errors with a `NatsError`; with `timeout` also when
 * the connection is lost meanwhile, or none is there in time. A result that comes after unsubscribing is dropped. One Observable by hand, as each message that is stored is a call.
 */
export const callNats = <T>(own: Pick<NatsOwn, 'state$'>, call: Call<T>): Observable<T> =>
  new Observable((subscriber) => {
    const { what, run, limitMs = LIMIT_MS } = call;
    let isCalled = false;
    const fail = (error: unknown) => subscriber.error(toNatsError(what, error));
    const begin = () => {
      isCalled = true;
      run().then((value) => {
        subscriber.next(value);
        subscriber.complete();
      }, fail);
    };
    const follow = ({ kind }: NatsState) => {
      if (kind === 'connected' && !isCalled)
        begin(); // what is sent without a connection is dropped by the client when it dials
      else if (kind === 'reconnecting' && isCalled) fail(connectionLost(what));
    };
    subscriber.add(asyncScheduler.schedule(() => fail(late(what)), limitMs));
    subscriber.add(own.state$.subscribe({ next: follow, error: fail }));
  });

const late = (what: string): NatsError => new NatsError('timeout', `${what}: no response in time`);

const connectionLost = (what: string): NatsError => new NatsError('timeout', `${what}: the connection was lost`);

/** Errors with `timeout` when the connection is lost, as a response would come too late. Emits nothing. */
export const failWhenLost = ({ state$ }: Pick<NatsOwn, 'state$'>, what: string): Observable<never> =>
  state$.pipe(
    mapMulti(({ kind }) => {
      if (kind === 'reconnecting') throw connectionLost(what);
    }),
  );

export const toHeaders = (headers: MsgHdrs | undefined): NatsHeaders =>
  headers === undefined ? {} : Object.fromEntries(headers.keys().map((key) => [key, headers.get(key)]));

/** undefined where there are none, so that a message without headers is sent as one. */
export const toMsgHeaders = ({ core }: NatsPackages, headers: NatsHeaders = {}): MsgHdrs | undefined => {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const made = core.headers();
  for (const name of names) made.set(name, headers[name] ?? '');
  return made;
};
