/** The stream of an executor's events. */
import { catchError, defer, type Observable, of, throwError } from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import { NOTHING } from '../executor/busMessages';
import { type ExecSubjects, execSubjects } from '../executor/subjects';
import type { NatsLink, NatsStreamFacts } from '../link/natsLink';

/** The limits of a stream that codex-rx makes. */
export type StreamLimits = {
  /** On each of its servers. */
  maxBytes: number;
  /** How long unread events are kept. */
  maxAgeMs: number;
  /** Number of servers that hold it. */
  replicas: number;
};

type StreamLink = Pick<NatsLink, 'ensureStream' | 'append' | 'prefix'>;

/** A message that expects this sequence before it is never stored; the conflict proves that a stream takes its subject. */
const NEVER_STORED = Number.MAX_SAFE_INTEGER;

/**
 * Emits once when the stream is there, and makes it if there is none. A stream that the operator made is not changed. Looking for it
 * needs only the right to publish events: a probe message conflicts if a stream takes it. Errors with cause and remedy.
 */
export const ownStream = (link: StreamLink, name: string, limits: StreamLimits): Observable<unknown> => {
  const subjects = execSubjects(link.prefix);
  const probe = { subject: subjects.events(name, 'none', 'none'), data: NOTHING, expectSubjectSeq: NEVER_STORED };
  const made$ = defer(() => link.ensureStream({ ...specOf(subjects, name), ...limits, discard: 'new' })).pipe(
    catchError((error) => throwError(() => (isNatsFailure(error, 'refused') ? absent(subjects, name) : error))),
  );
  return link.append(probe).pipe(catchError((error) => (isNatsFailure(error, 'conflict') ? of('there') : made$)));
};

/**
 * Makes the stream for an executor that may only publish; an existing stream is not changed. Such an executor cannot remove what was
 * read, so the oldest events are evicted. Emits what the stream is.
 */
export const operatorStream = (
  link: Pick<NatsLink, 'ensureStream' | 'prefix'>,
  name: string,
  limits: StreamLimits,
): Observable<NatsStreamFacts> =>
  link.ensureStream({ ...specOf(execSubjects(link.prefix), name), ...limits, discard: 'old' });

const specOf = (subjects: ExecSubjects, name: string) => ({
  name: subjects.stream(name),
  subjects: [subjects.eventsOfAll(name)],
  description: `Events of processes on the executor ${name} of codex-rx`,
});

const absent = (subjects: ExecSubjects, name: string): NatsError =>
  new NatsError(
    'absent',
    `no stream takes ${subjects.eventsOfAll(name)}, and this login may not make ${subjects.stream(name)}: let the operator make it with codex-rx exec-server --make-stream; if it is there, see that the accounts of the server export and import these subjects (docs/fleet.md)`,
  );
