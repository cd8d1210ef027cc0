/** The list of sessions, page by page. */
import { isAbsolute } from 'node:path';
import { defer, expand, last, map, type Observable } from 'rxjs';
import type { ListSessionsParams } from '../../protocol/acp/params';
import { withoutUndefined } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { CodexHost, StoredConversation } from '../../protocol/methods/host';

const PAGE = 50;

type ListParams = ReturnType<ReturnType<typeof ListSessionsParams>['parse']>;

/** Where the list goes on: after a thread, or at the newest. */
type Place = { after?: string | undefined; archived: boolean };

type Listing = { found: readonly object[]; from: Place; isOver: boolean };

/** A page of sessions, newest first, archived ones last. Threads without a prompt, which clients leave behind, are left out. */
export const listSessions = (
  { listStored }: Pick<CodexHost, 'listStored'>,
  { cwd, cursor, archived }: ListParams,
): Observable<unknown> =>
  defer(() => {
    const isMeant = (one: StoredConversation): boolean =>
      one.preview !== '' && isAbsolute(one.cwd) && (!cwd || withoutSlash(one.cwd) === withoutSlash(cwd));
    const next = ({ found, from }: Listing): Observable<Listing> =>
      listStored({ limit: PAGE, ...withoutUndefined(from) }).pipe(
        map((all) => ({
          found: [
            ...found,
            ...all
              .filter(isMeant)
              .map((one) => ({ ...toSessionInfo(one), ...(archived && { archived: from.archived }) })),
          ],
          isOver: all.length < PAGE && (from.archived || archived !== 'include'),
          from: all.length < PAGE ? { archived: true } : { ...from, after: all.at(-1)?.path },
        })),
      );
    const from = cursor ? readCursor(cursor) : { archived: archived === 'only' };
    return next({ found: [], from, isOver: false }).pipe(
      expand((page) => (page.isOver || page.found.length >= PAGE ? [] : next(page))),
      last(),
      map((page) => ({ sessions: page.found, ...(!page.isOver && { nextCursor: toCursor(page.from) }) })),
    );
  });

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/+$/, '');

const ARCHIVED = 'archived ';

const toCursor = ({ after = '', archived }: Place): string =>
  Buffer.from(`${archived ? ARCHIVED : ''}${after}`).toString('base64url');

/** The path of the last thread that was looked at, or of none. */
const readCursor = (cursor: string): Place => {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const archived = text.startsWith(ARCHIVED);
  const after = archived ? text.slice(ARCHIVED.length) : text;
  const isKnown = /^\S.*rollout-[^/\\]*\.jsonl$/.test(after) || text === ARCHIVED;
  if (isKnown && toCursor({ after, archived }) === cursor) return { after: after || undefined, archived };
  throw new RpcError(
    INVALID_PARAMS,
    'Invalid params: params.cursor is not of this agent; take nextCursor of the page before',
  );
};

const toSessionInfo = ({ id, cwd, preview, name, writtenMs }: StoredConversation) => ({
  sessionId: id,
  cwd,
  title: name ?? preview.split('\n')[0],
  updatedAt: new Date(writtenMs).toISOString(),
});
