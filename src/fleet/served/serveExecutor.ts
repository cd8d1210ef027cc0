/** An executor behind NATS: a service that others find, the stream of its processes' events, and the connections of its clients. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  throwError,
} from 'rxjs';
import type { OpenStore } from '../../executor/local/retention';
import type { ExecSessions } from '../../executor/server/execSessions';
import { NatsError } from '../../io/nats/natsError';
import type { Log } from '../../protocol/log';
import { NOTHING } from '../executor/busMessage';
import { findMember } from '../executor/findMember';
import type { MemberStatus } from '../executor/leastLoaded';
import { type ExecSubjects, execSubjects } from '../executor/subjects';
import type { NatsLink } from '../link/natsLink';
import { answerRequests } from './answerRequests';
import { appendForever } from './appendForever';
import { executorService } from './executorService';
import { messageBytesOf } from './messageBytesOf';
import { ownStream, type StreamLimits } from './ownStream';
import { ACCOUNT_LIMITS, type PublishedOutput, publishedOutput } from './publishedOutput';
import { readLimitsOf } from './readLimits';
import { removeMessages } from './removeMessages';

/** Opens the store of a session's processes around one that keeps output in memory. */
type StoreFor = (sessionId: string) => (inner: OpenStore) => OpenStore;

/**
 * @param capacity how many processes may run; @param load of the processors, 1 where all are busy; @param metadata what others see of it, such as the platform
 * @param openSessions makes the sessions, whose processes are stored by `storeFor`
 */
export type ServeExecutorDeps = {
  link: NatsLink;
  name: string;
  pool?: string;
  instance: string;
  version: string;
  metadata: Readonly<Record<string, string>>;
  capacity: number;
  load: () => number;
  openSessions: (storeFor: StoreFor) => Sessions;
  limits: StreamLimits;
  maxConnections: number;
  maxMessageBytes: number;
  log: Log;
};

type Sessions = ExecSessions & { running: () => number };

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
