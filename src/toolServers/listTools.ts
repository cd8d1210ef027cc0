/** Owns asking a server for its tools, page by page. */
import { EMPTY, expand, map, type Observable, reduce, take } from 'rxjs';
import type { Peer } from '../executor';
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import type { ToolInfo } from './toolServer';

/** A server whose cursor never ends is not asked for ever. */
const MAX_PAGES = 100;

/** Emits all tools once. A tool without a name is passed over. Errors with the peer. */
export const listTools = (peer: Peer): Observable<ToolInfo[]> =>
  peer.ask('tools/list', {}).pipe(
    expand((page) =>
      typeof page.nextCursor === 'string' ? peer.ask('tools/list', { cursor: page.nextCursor }) : EMPTY,
    ),
    take(MAX_PAGES),
    map(({ tools }) => (Array.isArray(tools) ? tools : []).filter(isObject).flatMap(toInfo)),
    reduce<ToolInfo[], ToolInfo[]>((all, page) => [...all, ...page], []),
  );

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
