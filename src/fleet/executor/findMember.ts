/** Finds an executor by its name, or the members of a pool. */
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
import { mapMulti } from '../../streams/gather';
import type { NatsLink } from '../link/natsLink';
import { NOTHING } from './busMessages';
import type { MemberStatus } from './member';
import { decodeMember } from './member';
import { execSubjects } from './subjects';

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
      throwIfEmpty(() => new Error('it sent no status')),
    );
  }).pipe(
    retry({ delay: askAgain }),
    takeUntil(timer(PATIENCE_MS)),
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
    toArray(),
    map((members) => {
      if (members.length === 0) throw new Error('nobody answered');
      return members;
    }),
    retry({ delay: askAgain }),
    take(1),
    takeUntil(timer(PATIENCE_MS)),
    throwIfEmpty(() => new Error(absent(link, `executor of the pool ${pool}`, `--name NAME --pool ${pool}`))),
  );
