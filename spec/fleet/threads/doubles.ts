/** Doubles of a server's bucket and stream, whose responses are marbles. */
import { defer, NEVER, type Observable, throwError } from 'rxjs';
import type { NatsBucket, NatsEntry, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { type LeaseDeps, leftLeases, toLeaseData } from '../../../src/fleet/threads/lease';
import type { ThreadFacts } from '../../../src/fleet/threads/threadPlace';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { ThreadError } from '../../../src/threads/threadError';

export const timedOut = new NatsError('timeout', 'no response');
export const conflict = new NatsError('conflict', 'wrong last sequence');
export const taken = new ThreadError('taken');
export const lost = new ThreadError('lost');

const own = { host: 'h', pid: 1, store: 's', token: 't' };
/** What a bucket holds of ours, and of another. */
export const entry = (token: string, revision = 1): NatsEntry => ({
  key: 'k',
  revision,
  atMs: 0,
  data: toLeaseData({ ...own, token }),
});

/** One response after another; the last one from then on. */
export const inTurn = <T>(responses: readonly Observable<T>[]): (() => Observable<T>) => {
  let at = 0;
  return () =>
    defer(() => {
      at += 1;
      return responses[Math.min(at, responses.length) - 1] ?? NEVER;
    });
};

/** A lease of 20 ms, which is renewed after 5, tried again after 1 and over after 18. */
export const leaseWith = (bucket: Partial<NatsBucket>, clockMs: () => number): LeaseDeps => ({
  leases: { get: () => NEVER, create: () => NEVER, update: () => NEVER, remove: () => NEVER, ...bucket },
  leaseMs: 20,
  key: 'k',
  data: toLeaseData(own),
  left: leftLeases(),
  clockMs,
  inUse: () => taken,
  lost: () => lost,
});

export const FACTS: ThreadFacts = {
  startedMs: 0,
  archived: false,
  size: 0,
  cwd: '/w',
  provider: 'p',
  source: 'vscode',
  cliVersion: '1',
  preview: '',
};

export const stored = (data: string, seq: number, headers = {}): NatsStored => ({
  kind: 'message',
  seq,
  subject: 'threads.a',
  data: new Uint8Array(Buffer.from(data)),
  headers,
  atMs: 0,
  order: 1,
  pending: 0,
});

/** A place with only these members of a link. */
export const placeWith = (link: Partial<NatsLink>) => ({
  link: { maxPayload: 1_048_576, append: () => NEVER, lastOf: () => throwError(() => timedOut), ...link } as NatsLink,
  stream: 'threads',
  subjectOf: (id: string) => `threads.${id}`,
});
