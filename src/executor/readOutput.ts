/** How the output of a process is read: messages in its output, log records of its error output. */
import {
  concat,
  concatMap,
  connect,
  filter,
  ignoreElements,
  merge,
  type OperatorFunction,
  of,
  pipe,
  scan,
  tap,
  timestamp,
} from 'rxjs';
import { limitRate, NO_RECORDS, type RateVerdict, type RateWindow } from '../io/log/limitRate';
import { decodeMessages } from '../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type Message, type RequestId } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import type { RpcIncoming } from '../protocol/rpc/messages';
import { splitLines } from '../streams/bytes/splitLines';
import { mapMany } from '../streams/gather';

/** The dialect of the process, and its name. */
export type ReadMessagesDeps = {
  log: Log;
  program: string;
  /** The dialect of a line; a `fault` without a `line` is logged and not emitted. Default: JSON-RPC 2.0. */
  decode?: (line: string) => Message;
  /** The longest line in UTF-16 units; a longer line is logged and not read. Default: no limit. */
  maxLineLength?: number;
};

/**
 * Text becomes messages, one per line. A line that is not a message is logged, and emitted only if its `fault` has the `line`. A line that is too long is
 * logged and not read.
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

/** How many characters are read beyond the limit: one shows that the line is too long, another may be the CR at its end, which is stripped. */
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

/** How many characters of the end of such a line are read: many servers write the id of a response there. */
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

type LogLinesDeps = {
  log: Log;
  /** Names the process in each record. */
  program: string;
  /** How many lines are logged per second. Default: 100. */
  perSecond?: number;
};

const PER_SECOND = 100;

/** One record per line, at info; lines beyond `perSecond` are dropped and counted in a warning. Emits nothing. Completes and errors with the source. */
export const logLines =
  ({ log, program, perSecond = PER_SECOND }: LogLinesDeps): OperatorFunction<string, never> =>
  (line$) => {
    const limit = limitRate({ perSecond });
    return concat(line$, of(END)).pipe(
      timestamp(),
      scan(({ window }: State, { value, timestamp }) => next(limit, window, { line: value, nowMs: timestamp }), START),
      mapMany(({ output }) => output),
      tap((record) => writeRecord({ log, program }, record)),
      ignoreElements(),
    );
  };

const END = null;

type Logged = { kind: 'line'; line: string } | { kind: 'dropped'; droppedLines: number };
type State = { window: RateWindow; output: Logged[] };
const START: State = { window: NO_RECORDS, output: [] };

type Limit = (window: RateWindow, nowMs: number) => RateVerdict;

const next = (limit: Limit, window: RateWindow, { line, nowMs }: { line: string | null; nowMs: number }): State => {
  if (line === END) return { window: NO_RECORDS, output: toDropped(window.dropped) };
  const { window: after, passes, droppedBefore } = limit(window, nowMs);
  const lines: Logged[] = passes ? [{ kind: 'line', line }] : [];
  return { window: after, output: [...toDropped(droppedBefore), ...lines] };
};

const toDropped = (droppedLines: number): Logged[] => (droppedLines > 0 ? [{ kind: 'dropped', droppedLines }] : []);

const writeRecord = ({ log, program }: Pick<LogLinesDeps, 'log' | 'program'>, record: Logged): void => {
  if (record.kind === 'line') log('info', 'a process wrote to its error output', { program, line: record.line });
  else log('warning', 'error output of a process was too fast to log', { program, droppedLines: record.droppedLines });
};
