/** Owns what all methods are made of. */

import type { Log } from '../../log';
import {
  checkParams,
  idKey,
  type JsonObject,
  ListParams,
  META_SERVER_INFO,
  type Request,
  type Response,
} from '../../protocol';
import type { Era } from './client';
import type { Command } from './command';
import type { Face } from './faces';
import type { Sealer } from './requestState';

export type MethodDeps = { face: Face; sealer: Sealer; newCallId: () => string; log: Log; instructions: string };

/** What a request comes to; throws RpcError for what its peer did wrong. */
export type Method = (request: Request, era: Era) => Command;

/** Methods by name, without a prototype, so that one named like a member of Object is unknown. */
export const table = (entries: Record<string, Method>): Record<string, Method> =>
  Object.assign(Object.create(null), entries);

/** The answer to a request, from ready-made text. */
export const reply = ({ id, batch }: Request, json: string): Response => ({ kind: 'response', id, batch, json });

/** What every modern result carries. */
export const serverMeta = (face: Face): JsonObject => ({ [META_SERVER_INFO]: face.serverInfo });

/** Refuses a cursor: there is one page. */
export const checkList = (params: JsonObject): void => {
  if ('cursor' in params) checkParams(ListParams(), params);
};

/** True for what may be an id or a progress token. */
export const isToken = (token: unknown): token is string | number | bigint =>
  typeof token === 'string' || typeof token === 'number' || typeof token === 'bigint';

/** One text per request, for finding the call that a cancel means. */
export const keyOf = (id: unknown): string | undefined => (isToken(id) ? idKey(id) : undefined);
