/** Lists the tools of a server, page by page. */
import { EMPTY, expand, map, type Observable, reduce, take } from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { Peer } from '../../protocol/rpc/peer';
import { cancelledNotification } from './cancelledNotification';
import type { ToolInfo } from './toolServer';

/** A server whose cursor never ends is not read for ever. */
const MAX_PAGES = 100;

/** Emits all tools once. A tool without a name is skipped. Errors with the peer. Unsubscribing cancels the request for the current page. */
export const listTools = (peer: Pick<Peer, 'request'>): Observable<ToolInfo[]> => {
  const read = (params: JsonObject): Observable<JsonObject> =>
    peer
      .request('tools/list', params, { cancel: cancelledNotification })
      .pipe(map((page) => (isObject(page) ? page : {})));
  return read({}).pipe(
    expand(({ nextCursor }) => (typeof nextCursor === 'string' ? read({ cursor: nextCursor }) : EMPTY)),
    take(MAX_PAGES),
    map(({ tools }) => (Array.isArray(tools) ? tools : []).filter(isObject).flatMap(toInfo)),
    reduce<ToolInfo[], ToolInfo[]>((all, page) => [...all, ...page], []),
  );
};

const toInfo = ({ name, description, inputSchema, annotations }: JsonObject): ToolInfo[] =>
  typeof name !== 'string' || name === ''
    ? []
    : [
        {
          name,
          description: typeof description === 'string' ? description : '',
          inputSchema,
          isReadOnly: isObject(annotations) && annotations.readOnlyHint === true,
        },
      ];
