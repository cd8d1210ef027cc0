/** Reads the messages in the output of a process. */
import { concatMap, connect, filter, merge, type OperatorFunction, pipe, tap } from 'rxjs';
import { decodeMessages } from '../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type Message, type RequestId } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import type { RpcIncoming } from '../protocol/rpc/messages';
import { splitLines } from '../streams/bytes/splitLines';

/** @param decode the dialect; @param maxLineLength in UTF-16 units; no limit by default */
export type ReadMessagesDeps = {
  log: Log;
  program: string;
  decode?: (line: string) => Message;
  maxLineLength?: number;
};

/**
 * Text becomes messages, one per line. A line that is not a message is logged, and emitted only if its `fault` has the `line`; one that is too long is logged
 * and not read.
 * Completes and errors with the source.
 *   in   -a-b---c-|   (b the beginning of a response that is too long, c its end)
 *   out  -A-----E-|   (E an error for its request)
 */
export const readMessages = (deps: ReadMessagesDeps): OperatorFunction<string, RpcIncoming<JsonObject>> => {
  const { maxLineLength: maxLength } = deps;
  if (maxLength === undefined) return pipe(splitLines(), decoded(deps));
  const endLength = Math.min(END_LENGTH, Math.floor(maxLength / 2));
  return pipe(
    splitLines({ maxLength: maxLength + MORE, endLength }),
    connect((line$) => merge(line$.pipe(ofLength(maxLength, 'read'), decoded(deps)), line$.pipe(cut(deps, maxLength)))),
  );
};

/** Characters kept beyond the limit: one shows that the line is too long, another may be the CR at its end, which is stripped. */
const MORE = 2;

const ofLength = (maxLength: number, use: 'read' | 'cut') =>
  filter((line: string) => (line.length <= maxLength ? 'read' : 'cut') === use);

const cut = (
  { log, program }: ReadMessagesDeps,
  maxLength: number,
): OperatorFunction<string, RpcIncoming<JsonObject>> =>
  pipe(
    ofLength(maxLength, 'cut'),
    tap(() => log('warning', 'a line of a process is too long to be read', { program, maxLength })),
    concatMap((line) => toTooLong(line, maxLength)),
  );

const decoded =
  ({ log, program, decode }: ReadMessagesDeps): OperatorFunction<string, RpcIncoming<JsonObject>> =>
  (line$) =>
    line$.pipe(
      decodeMessages(decode),
      tap((message) => {
        if (message.kind === 'fault')
          log('debug', 'a line of a process is not a message', { program, why: message.message });
      }),
      filter((message) => message.kind !== 'fault' || message.line !== undefined),
    );

/** How many characters of the end of such a line are kept: many servers write the id of a response there. */
const END_LENGTH = 256;

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
