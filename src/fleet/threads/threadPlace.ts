/** Where the threads of a fleet are kept: one stream, one bucket of leases. */
import { forkJoin, map, type Observable, switchMap, throwError } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { isPlainName, PLAIN_NAME } from '../../streams/text/trim';
import type { NatsBucket, NatsLink } from '../link/natsLink';
import { toToken } from '../link/tokens';
import { makeStream } from '../operators/makeStream';
import { inNats } from './storeFault';

/**
 * `stream` has a subject for each thread; `leases` a key for each thread that somebody has, which the server removes `leaseMs` after its last
 * write, by its own clock. `subjects` begins the subjects of threads, `subjectOf` is that of one; `address` names the store to people.
 */
export type ThreadPlace = {
  link: NatsLink;
  stream: string;
  subjects: string;
  subjectOf: (id: string) => string;
  leases: NatsBucket;
  leaseMs: number;
  address: string;
};

/** The name of a store whose address has none. */
const DEFAULT_NAME = 'default';
const DESCRIPTION = 'threads of codex-rx: the lines of one rollout under each subject';
/** Streams and buckets are named after the store. */
const NAME = `a thread store has a name of ${PLAIN_NAME}`;
/** How long a thread stays with a process that does not renew its lease. */
const LEASE_MS = 20_000;

/**
 * Emits the place once it is there, and completes; what is absent is made, what is there stays as its operator made it.
 * Errors with ThreadError.
 * @param name of the store, '' for the default
 */
export const openPlace = (link: NatsLink, name: string): Observable<ThreadPlace> => {
  const store = name === '' ? DEFAULT_NAME : name;
  const { prefix } = link;
  const stream = `${prefix}-threads-${store}`;
  const subjects = `${prefix}.threads.${store}`;
  const bucket = `${prefix}-leases-${store}`;
  const address = `${link.address}/${store}`;
  if (!isPlainName(store)) return throwError(() => new NatsError('address', NAME)).pipe(inNats(address));
  return forkJoin({
    made: makeStream(link)({ name: stream, subject: `${subjects}.*`, description: DESCRIPTION }),
    leases: link
      .ensureBucket({ name: bucket, maxBytes: 0, maxAgeMs: LEASE_MS, replicas: 1 })
      .pipe(switchMap((leases) => leaseMsOf(link, bucket).pipe(map((leaseMs) => ({ leases, leaseMs }))))),
  }).pipe(
    map(({ leases }) => ({
      link,
      stream,
      subjects,
      subjectOf: (id: string) => `${subjects}.${toToken(id)}`,
      address,
      ...leases,
    })),
    inNats(address),
  );
};

/** The lease time of the bucket on the server applies to all processes. */
const leaseMsOf = (link: NatsLink, bucket: string): Observable<number> =>
  link
    .findStream(`KV_${bucket}`)
    .pipe(map((facts) => (facts === undefined || facts.maxAgeMs === 0 ? LEASE_MS : facts.maxAgeMs)));
