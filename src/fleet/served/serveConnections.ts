/** The connections of an executor's clients behind NATS: each is a stream of messages on a subject of its own. */
import {
  catchError,
  defer,
  filter,
  finalize,
  type GroupedObservable,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  skip,
  switchMap,
  tap,
  timer,
} from 'rxjs';
import { execServer } from '../../executor/server/execServer';
import type { ExecSessions } from '../../executor/server/execSessions';
import { decodeExecRequest, type ExecMessage, encodeExecMessage } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { noBackpressure } from '../../streams/backpressure';
import { type Accumulated, mapAccum, mapMulti } from '../../streams/gather';
import { isPlainName } from '../../streams/text/trim';
import { inputFirst } from '../../streams/time/limits';
import {
  addPart,
  BROKEN,
  type BusKind,
  kindHeader,
  kindOf,
  NO_PARTS,
  NOTHING,
  partBytes,
  toParts,
  type Unfinished,
} from '../executor/busMessages';
import { execSubjects } from '../executor/subjects';
import type { NatsDelivery, NatsLink } from '../link/natsLink';
import { lastToken } from '../link/tokens';

export type ServeConnectionsDeps = AdmitLimits & { link: NatsLink; sessions: ExecSessions; log: Log };

/** A connection that sends nothing for this long is lost; clients ping every 1.5 s. */
const SILENCE_MS = 6_000;
/** How long a client may take to respond to a ping. */
const PING_TIMEOUT_MS = 1_000;

/** Serves each connection until its client ends it or is silent; its session then waits for a client. Events go through the stream. */
export const serveConnections =
  (deps: ServeConnectionsDeps): OperatorFunction<NatsDelivery, never> =>
  (delivery$) =>
    defer(() => {
      const over$ = new Subject<string>(); // the wire from finished connections to the list of open connections
      return merge(
        over$.pipe(map((connection): Arrival => ({ kind: 'over', connection }))),
        delivery$.pipe(map((delivery): Arrival => ({ kind: 'received', delivery }))),
      ).pipe(
        mapAccum(admitDelivery(deps), NO_CONNECTIONS),
        tap(({ kind, isOpen, respond }) => kind === 'ping' && respond(NOTHING, isOpen ? {} : kindHeader('unknown'))),
        filter(({ isOpen }) => isOpen),
        groupBy(({ connection }) => connection, { duration: silence(deps.link) }),
        mergeMap((own$) => serveOne(deps, own$).pipe(finalize(() => over$.next(own$.key)))),
      );
    });

/** Emits when the client has ended the connection, or is silent, or when messages of it may be lost with our own connection. */
const silence =
  (link: NatsLink) =>
  (own$: GroupedObservable<string, Admitted>): Observable<unknown> =>
    merge(
      own$.pipe(filter(({ kind }) => kind === 'end')),
      own$.pipe(switchMap(() => timer(SILENCE_MS, inputFirst))),
      link.state$.pipe(skip(1)),
    );

const serveOne = (deps: ServeConnectionsDeps, own$: GroupedObservable<string, Admitted>): Observable<never> => {
  const { link, sessions, log } = deps;
  const client = execSubjects(link.prefix).client(own$.key);
  return own$.pipe(
    mapMulti<Admitted, ExecMessage>(({ text }, emit) => {
      if (text !== undefined) emit(decodeExecRequest(text));
    }),
    execServer({
      sessions,
      backpressure: noBackpressure,
      isAlive: () => isAlive(link, client),
      source: 'JSON-RPC message from exec-server NATS client',
      log,
    }),
    filter((item) => item.kind !== 'ended'),
    tap((message) => {
      for (const { data, isLast } of toParts(encodeExecMessage(message), partBytes(link)))
        link.publish({ subject: client, data, headers: kindHeader(isLast ? 'last' : 'more') });
    }),
    ignoreElements(),
  );
};

const isAlive = (link: NatsLink, client: string): Observable<boolean> =>
  link.request({ subject: client, data: NOTHING, headers: kindHeader('ping'), timeoutMs: PING_TIMEOUT_MS }).pipe(
    map(() => true),
    catchError(() => of(false)),
  );

type AdmitLimits = {
  /** Connections at a time. */
  maxConnections: number;
  /** Of one message, and of all incomplete messages together. */
  maxMessageBytes: number;
};

type Arrival = { kind: 'received'; delivery: NatsDelivery } | { kind: 'over'; connection: string };

/** A delivery for a connection. `text` is the message that it completes. */
export type Admitted = {
  connection: string;
  kind: BusKind;
  isOpen: boolean;
  text?: string | undefined;
  respond: NatsDelivery['respond'];
};

/** The open connections by name, with their unfinished messages. */
export type Connections = ReadonlyMap<string, Unfinished>;

/** None is open: the state that the reducer begins with. */
export const NO_CONNECTIONS: Connections = new Map();

/**
 * A reducer. `begin` opens a connection if fewer than `maxConnections` are open and its name is plain; on an open connection it is an
 * ordinary part. Unfinished messages share one budget: beyond it the connection with the most unfinished bytes loses its
 * message, which is rejected when its last part comes.
 */
export const admitDelivery =
  (limits: AdmitLimits) =>
  (open: Connections, arrival: Arrival): Accumulated<Connections, Admitted> => {
    if (arrival.kind === 'over') return { state: without(open, arrival.connection) };
    const { delivery } = arrival;
    const connection = lastToken(delivery.subject);
    const kind = kindOf(delivery.headers);
    const now = kind === 'begin' && mayOpen(open, connection, limits) ? new Map(open).set(connection, NO_PARTS) : open;
    const unfinished = now.get(connection);
    const { respond } = delivery;
    const output: Admitted = { connection, kind, isOpen: unfinished !== undefined, respond };
    if (unfinished === undefined || kind === 'ping' || kind === 'end') return { state: now, output };
    const added = addPart(unfinished, { data: delivery.data, isLast: kind !== 'more' }, limits.maxMessageBytes);
    const state = added.unfinished === unfinished ? now : new Map(now).set(connection, added.unfinished);
    return {
      state: kind === 'more' ? within(limits, state) : state,
      output: { connection, kind, isOpen: true, respond, text: added.text },
    };
  };

const mayOpen = (open: Connections, connection: string, { maxConnections }: AdmitLimits): boolean =>
  open.size < maxConnections && isPlainName(connection) && !open.has(connection);

const without = (open: Connections, connection: string): Connections => {
  const left = new Map(open);
  left.delete(connection);
  return left;
};

const within = ({ maxMessageBytes }: AdmitLimits, open: Connections): Connections => {
  const all = [...open];
  if (all.reduce((sum, [, { bytes }]) => sum + bytes, 0) <= maxMessageBytes) return open;
  const [greatest] = all.sort(([, one], [, other]) => other.bytes - one.bytes);
  return greatest === undefined ? open : new Map(open).set(greatest[0], BROKEN);
};
