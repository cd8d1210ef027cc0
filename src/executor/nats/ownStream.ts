/** The stream of an executor's events. */
import { catchError, defer, type Observable, of, throwError } from 'rxjs';
import { isNatsFailure, NatsError, type NatsLink, type NatsStreamFacts } from '../../transport/nats';
import { NOTHING } from './busMessage';
import { type ExecSubjects, execSubjects } from './subjects';

/** `maxAgeMs` is how long events are kept that nobody read; the stream has `maxBytes` at most on each of `replicas` servers. They count where the executor makes its stream. */
export type StreamLimits = { maxBytes: number; maxAgeMs: number; replicas: number };

type StreamLink = Pick<NatsLink, 'ensureStream' | 'append' | 'prefix'>;

/** A message that expects this one before it is stored nowhere, and its refusal shows that there is a stream. */
const NEVER_STORED = Number.MAX_SAFE_INTEGER;

/**
 * Emits once when the stream is there. What its operator made stays as it is, and an executor needs the right to publish events only: it finds out by a message that no stream takes.
 * Makes it where there is none; errors with cause and remedy where it may not.
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
 * Makes the stream for an executor that may only publish, as its operator does; one that is there stays as it is. Such an executor cannot remove what was read, so
 * the oldest events give way. Emits what the stream is.
 */
export const operatorStream = (
  link: Pick<NatsLink, 'ensureStream' | 'prefix'>,
  name: string,
  limits: StreamLimits,
): Observable<NatsStreamFacts> =>
  link.ensureStream({ ...specOf(execSubjects(link.prefix), name), ...limits, discard: 'old' });

const specOf = (subjects: ExecSubjects, name: string) => ({
  ...{ name: subjects.stream(name), subjects: [subjects.eventsOfAll(name)] },
  description: `Events of processes on the executor ${name} of codex-rx`,
});

const absent = (subjects: ExecSubjects, name: string): NatsError =>
  new NatsError(
    'absent',
    `no stream takes ${subjects.eventsOfAll(name)}, and this login may not make ${subjects.stream(name)}: let the operator make it by codex-rx exec-server --make-stream`,
  );
