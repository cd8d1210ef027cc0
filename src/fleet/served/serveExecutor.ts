/** An executor behind NATS: a service that others find, the stream of its processes' events, and the connections of its clients. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  throwError,
} from 'rxjs';
import type { OpenSessions, StoreFor } from '../../executor/listen/openSessions';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import type { Log } from '../../protocol/log';
import { mapMulti } from '../../streams/gather';
import { mapAtOnce } from '../../streams/scanInTurn';
import { NOTHING } from '../executor/busMessages';
import {
  encodeMember,
  encodeReport,
  findMember,
  type MemberStatus,
  SESSION_HEADER,
  type UnreadReport,
} from '../executor/member';
import { type ExecSubjects, execSubjects } from '../executor/subjects';
import type { NatsLink } from '../link/natsLink';
import { type NatsServiceRequest, natsService } from '../operators/natsService';
import { readLimitsOf } from './outputAccount';
import { ACCOUNT_LIMITS, type PublishedOutput, publishedOutput } from './publishedOutput';
import { type ServeConnectionsDeps, serveConnections } from './serveConnections';
import { appendForever, ownStream, type StreamLimits } from './storeEvents';

type ServeExecutorDeps = {
  link: NatsLink;
  name: string;
  pool?: string;
  instance: string;
  version: string;
  /** Shown to others, such as the platform. */
  metadata: Readonly<Record<string, string>>;
  /** How many processes may run. */
  capacity: number;
  /** Of the processors; 1 if all are busy. */
  load: () => number;
  /** Makes the sessions, whose processes are stored by `storeFor`. */
  openSessions: (storeFor: StoreFor) => OpenSessions;
  limits: StreamLimits;
  maxConnections: number;
  maxMessageBytes: number;
  log: Log;
};

const TAKEN_MS = 1_000;

/**
 * Emits once when it serves, and goes on until it is unsubscribed. Errors when another executor has the name, and when the stream cannot be made.
 *   out  ---s------     (s it serves)
 */
export const serveExecutor = (deps: ServeExecutorDeps): Observable<'serving'> => {
  const { link, name, limits } = deps;
  const subjects = execSubjects(link.prefix);
  const makeStream = () => ownStream(link, name, limits);
  return concat(
    notTaken(link, subjects, name),
    makeStream().pipe(ignoreElements()),
    served(deps, subjects, makeStream),
  );
};

/** Two executors of one name would mix their processes. */
const notTaken = (link: NatsLink, subjects: ExecSubjects, name: string): Observable<never> =>
  link.request({ subject: subjects.status(name), data: NOTHING, timeoutMs: TAKEN_MS }).pipe(
    catchError(() => EMPTY),
    mergeMap(() => throwError(() => taken(link, name))),
  );

const taken = ({ address }: NatsLink, name: string): NatsError =>
  new NatsError('conflict', `an executor ${name} is there already at ${address}: choose another --name`);

const served = (
  deps: ServeExecutorDeps,
  subjects: ExecSubjects,
  makeStream: () => Observable<unknown>,
): Observable<'serving'> =>
  defer(() => {
    const { link, name, log } = deps;
    const remove = removeMessages(link, subjects.stream(name));
    const published: PublishedOutput = publishedOutput({
      messageBytes: messageBytesOf(link),
      append: appendForever({ link, makeRoom: () => defer(() => remove(published.takeRead())), makeStream, log }),
      remove,
      limits: ACCOUNT_LIMITS,
      readLimits: readLimitsOf(deps.limits.maxBytes),
    });
    const sessions = deps.openSessions(
      (session) => (inner) => published.storeFor(inner, (processId) => subjects.events(name, session, processId)),
    );
    const status = (): MemberStatus => {
      const { instance, capacity, load } = deps;
      return { executor: name, instance, running: sessions.running(), capacity, load: load() };
    };
    const request$ = executorService({ ...deps, status });
    const report = (session: string) => published.report(subjects.eventsOfSession(name, session).slice(0, -1));
    return merge(published.run$, request$.pipe(answerRequests({ ...deps, sessions, status, report })), servesNow(deps));
  });

/** Requests its own status: a response shows that the server has the subscriptions sent before. Another executor that took the name may answer instead. */
const servesNow = ({ link, name, instance }: ServeExecutorDeps): Observable<'serving'> =>
  findMember(link, name).pipe(
    map((member): 'serving' => {
      if (member.instance !== instance) throw taken(link, name);
      return 'serving';
    }),
  );

const MAX_MESSAGE_BYTES = 524_288;
/** Left free in a message, so that one more chunk of 64 KiB and the header still fit. */
const LEFT_BYTES = 98_304;
const LEAST_PAYLOAD = 131_072;

/** Throws with cause and remedy for a server that takes small messages only. */
export const messageBytesOf = ({ maxPayload, address }: Pick<NatsLink, 'maxPayload' | 'address'>): number => {
  if (maxPayload < LEAST_PAYLOAD)
    throw new Error(
      `the server at ${address} takes messages of at most ${maxPayload} bytes: set its max_payload to at least ${LEAST_PAYLOAD}`,
    );
  return Math.min(MAX_MESSAGE_BYTES, maxPayload - LEFT_BYTES);
};

export type AnswerDeps = ServeConnectionsDeps & {
  /** How busy the executor is. */
  status: () => MemberStatus;
  /** What of a session is unread. */
  report: (session: string) => UnreadReport;
};

/** Answers how busy it is, or with the report of the session that a request names, and serves connections. Emits nothing. */
export const answerRequests =
  (deps: AnswerDeps): OperatorFunction<NatsServiceRequest, never> =>
  (request$) =>
    request$.pipe(
      mapMulti<NatsServiceRequest, NatsServiceRequest>((request, emit) => {
        const { endpoint, respond, headers } = request;
        const { [SESSION_HEADER]: session } = headers;
        if (endpoint === 'calls') emit(request);
        else respond(session === undefined ? encodeMember(deps.status()) : encodeReport(deps.report(session)));
      }),
      serveConnections(deps),
    );

type ExecutorServiceDeps = Pick<ServeExecutorDeps, 'link' | 'name' | 'pool' | 'instance' | 'version' | 'metadata'> & {
  status: () => MemberStatus;
};

const SERVICE = 'codex-rx-exec';

/** Registers the service while subscribed. Emits requests: `status` and `pool` ask for its load, `calls` are the messages of connections. */
const executorService = (deps: ExecutorServiceDeps): Observable<NatsServiceRequest> => {
  const { link, name, pool, instance, version, metadata, status } = deps;
  const subjects = execSubjects(link.prefix);
  return natsService(link)({
    name: SERVICE,
    id: instance,
    version,
    description: `Processes on the machine of the executor ${name}`,
    metadata: { executor: name, ...(pool !== undefined && { pool }), ...metadata },
    endpoints: [
      { name: 'status', subject: subjects.status(name) },
      ...(pool === undefined ? [] : [{ name: 'pool', subject: subjects.pool(pool) }]),
      { name: 'calls', subject: subjects.callsOfAll({ executor: name, instance }) },
    ],
    data: status,
  });
};

const REMOVALS = 32;

/**
 * Removes messages one by one: after a purge of a subject, consumers of wider subjects skip unread messages (nats-server 2.9.10).
 * A message that is gone, or cannot be removed now, is left to the limits of the stream. Completes; errors with `refused` if the login may not remove.
 *   remove(1)  --R|
 *   remove(2)  -#       (2 is gone)
 *   out        --R|
 */
export const removeMessages =
  (link: Pick<NatsLink, 'remove'>, stream: string) =>
  (seqs: readonly number[]): Observable<unknown> =>
    from(seqs).pipe(mapAtOnce(REMOVALS, (seq) => link.remove(stream, seq).pipe(catchError(unlessRefused))));

const unlessRefused = (error: unknown): Observable<never> =>
  isNatsFailure(error, 'refused') ? throwError(() => error) : EMPTY;
