/** What an executor reports: its status, what of a session is unread; and how an executor is found, or the members of a pool. */
import {
  catchError,
  defer,
  EMPTY,
  filter,
  map,
  type Observable,
  retry,
  take,
  takeUntil,
  throwError,
  throwIfEmpty,
  timer,
  toArray,
} from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { isObject, parseObject } from '../../protocol/jsonrpc/json';
import { mapMulti } from '../../streams/gather';
import { isPlainName } from '../../streams/text/trim';
import { inputFirst } from '../../streams/time/limits';
import type { NatsLink } from '../link/natsLink';
import { NOTHING } from './busMessages';
import { execSubjects } from './subjects';

/** The status of an executor. */
export type MemberStatus = {
  executor: string;
  instance: string;
  /** Number of running processes. */
  running: number;
  /** How many processes may run. */
  capacity: number;
  /** Load of the processors; 1 if all are busy. */
  load: number;
};

/** The bytes in which a member of a pool reports its load. */
export const encodeMember = (member: MemberStatus): Uint8Array => Buffer.from(JSON.stringify(member));

/** undefined for what is not the status of an executor; its names become parts of subjects, so they must be plain names. */
export const decodeMember = (data: Uint8Array): MemberStatus | undefined => {
  const { executor, instance, running, capacity, load } = parseObject(Buffer.from(data).toString()) ?? {};
  if (!isName(executor) || !isName(instance)) return undefined;
  if (!isAmount(running) || !isAmount(capacity) || !isAmount(load)) return undefined;
  return { executor, instance, running, capacity, load };
};

const isName = (value: unknown): value is string => typeof value === 'string' && isPlainName(value);

const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0;

/** The member with the smallest share of its capacity in use, then with the smallest load; undefined if none has room. */
export const leastLoaded = <M extends MemberStatus>(members: readonly M[]): M | undefined =>
  members.filter(({ running, capacity }) => running < capacity).toSorted(byLoad)[0];

const byLoad = (one: MemberStatus, other: MemberStatus): number =>
  one.running / one.capacity - other.running / other.capacity ||
  one.load - other.load ||
  (one.executor < other.executor ? -1 : 1);

/** What an executor reports of a session. */
export type UnreadReport = {
  /** All messages of the session before this sequence were acknowledged, or belong to an earlier client. */
  from: number;
  /** Processes whose stored events through `throughSeq` were not acknowledged; only some, if there are many. */
  unread: readonly { processId: string; throughSeq: number }[];
};

/** The header with which a client asks an executor for the report of this session. */
export const SESSION_HEADER = 'Codex-Rx-Session';

const MAX_PROCESSES = 256;

/** The bytes of a report. */
export const encodeReport = ({ from, unread }: UnreadReport): Uint8Array =>
  Buffer.from(JSON.stringify({ from, unread: unread.slice(0, MAX_PROCESSES) }));

/** undefined for what is no report, such as the status of an executor that knows none. */
export const decodeReport = (data: Uint8Array): UnreadReport | undefined => {
  const { from, unread } = parseObject(Buffer.from(data).toString()) ?? {};
  if (!isCount(from) || !Array.isArray(unread)) return undefined;
  return { from, unread: unread.slice(0, MAX_PROCESSES).filter(isUnread) };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isUnread = (value: unknown): value is UnreadReport['unread'][number] =>
  isObject(value) && typeof value.processId === 'string' && isCount(value.throughSeq);

type FindLink = Pick<NatsLink, 'request' | 'address' | 'prefix'>;

const ASK_MS = 2_000;
const ASK_AGAIN_MS = 250;
/** How long an executor may be away: it reconnects within a second or so when a NATS server is lost. */
const PATIENCE_MS = 6_000;

/** What the server denies is not retried: it stays denied. */
const askAgain = (error: unknown): Observable<unknown> =>
  isNatsFailure(error, 'refused') ? throwError(() => error) : timer(ASK_AGAIN_MS);

/** Emits the executor of this name. Errors when none answers for a while, at once if the server denies the subject. */
export const findMember = (link: FindLink, executor: string): Observable<MemberStatus> =>
  defer(() => {
    const subject = execSubjects(link.prefix).status(executor);
    return link.request({ subject, data: NOTHING, timeoutMs: ASK_MS }).pipe(
      map(({ data }) => decodeMember(data)),
      filter((member) => member !== undefined),
      throwIfEmpty(),
    );
  }).pipe(
    retry({ delay: askAgain }),
    takeUntil(timer(PATIENCE_MS, inputFirst)),
    throwIfEmpty(() => new Error(absent(link, `executor ${executor}`, `--name ${executor}`))),
  );

const absent = ({ address }: FindLink, who: string, flag: string): string =>
  `no ${who} answers at ${address}: start it with codex-rx exec-server --listen ${address} ${flag}`;

/** How long members may take to answer, also on a busy machine. */
const GATHER_MS = 150;

/** Emits the members of a pool that answer in time, one at least. Errors when none answers for a while. */
export const findPool = (
  link: FindLink & Pick<NatsLink, 'requestAll'>,
  pool: string,
): Observable<readonly MemberStatus[]> =>
  defer(() =>
    link.requestAll({ subject: execSubjects(link.prefix).pool(pool), data: NOTHING, timeoutMs: GATHER_MS }),
  ).pipe(
    mapMulti<{ data: Uint8Array }, MemberStatus>(({ data }, emit) => {
      const member = decodeMember(data);
      if (member !== undefined) emit(member);
    }),
    catchError((error) => (isNatsFailure(error, 'refused') ? throwError(() => error) : EMPTY)),
    throwIfEmpty(),
    toArray(),
    retry({ delay: askAgain }),
    take(1),
    takeUntil(timer(PATIENCE_MS, inputFirst)),
    throwIfEmpty(() => new Error(absent(link, `executor of the pool ${pool}`, `--name NAME --pool ${pool}`))),
  );
