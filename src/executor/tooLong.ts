/** What becomes of a line that is too long to be read. */

import type { JsonObject } from '../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type RequestId } from '../protocol/jsonrpc/messages';
import type { RpcIncoming } from '../protocol/rpc/messages';

/** How many characters of the end of such a line are kept: many servers write the id of a response there. */
export const END_LENGTH = 256;

const ID = '"id"\\s*:\\s*("[^"\\\\]{1,128}"|\\d{1,16})\\s*';
const ID_FIRST = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID},\\s*"(?:result|error)"`);
const ID_LAST = new RegExp(`${ID}\\}\\s*$`);
const HEAD_LENGTH = 512;
const HAS_METHOD = /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*[^,]{1,140},)*\s*"method"/;

/**
 * A response becomes an error, so that its request does not wait; a request or a notification is dropped; anything else is a `gap`, as it may have been a
 * response.
 * @param line the beginning and the end of the line, joined
 */
export const toTooLong = (line: string, maxLength: number): RpcIncoming<JsonObject>[] => {
  const head = line.slice(0, HEAD_LENGTH);
  if (HAS_METHOD.test(head)) return [];
  const [, id] = ID_FIRST.exec(head) ?? ID_LAST.exec(line.slice(-END_LENGTH)) ?? [];
  if (id === undefined) return [{ kind: 'gap' }];
  const message = `the response is longer than ${maxLength} characters, and was not read; ask for less at a time`;
  return [{ kind: 'response', id: JSON.parse(id) as RequestId, error: { code: INTERNAL_ERROR, message } }];
};
