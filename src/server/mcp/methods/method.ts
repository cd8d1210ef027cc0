/** What all methods share. */

import { checkParams } from '../../../protocol/jsonrpc/checkParams';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Request, Response } from '../../../protocol/jsonrpc/messages';
import type { Log } from '../../../protocol/log';
import { META_SERVER_INFO } from '../../../protocol/mcp/mcp';
import { ListParams } from '../../../protocol/mcp/params';
import type { Era } from '../../faces/clientInfo';
import type { Face } from '../../faces/faceOf';
import type { Command } from '../command';
import type { Sealer } from './requestState';

export type MethodDeps = { face: Face; sealer: Sealer; newCallId: () => string; log: Log; instructions: string };

/** The command that a request leads to; throws RpcError for a fault of the client. */
export type Method = (request: Request, era: Era) => Command;

/** Methods by name. */
export type MethodOf = (name: string) => Method | undefined;

/** The answer to a request, from ready-made text. */
export const reply = ({ id, batch }: Request, json: string): Response => ({ kind: 'response', id, batch, json });

/** What every modern result carries. */
export const serverMeta = (face: Face): JsonObject => ({ [META_SERVER_INFO]: face.serverInfo });

/** Throws RpcError for a cursor: there is one page. */
export const refuseCursor = (params: JsonObject): void => {
  if ('cursor' in params) checkParams(ListParams(), params);
};

/** True for what may be an id or a progress token. */
export const isToken = (token: unknown): token is string | number | bigint =>
  typeof token === 'string' || typeof token === 'number' || typeof token === 'bigint';
