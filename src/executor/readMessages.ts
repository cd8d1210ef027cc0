/** Reads the messages in the output of a process. */
import { concatMap, connect, filter, merge, type OperatorFunction, pipe, tap } from 'rxjs';
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { Message } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import { decodeMessages } from '../protocol/rpc/decodeMessages';
import type { RpcIncoming } from '../protocol/rpc/messages';
import { splitLines } from '../streams/bytes/splitLines';
import { END_LENGTH, toTooLong } from './tooLong';

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
