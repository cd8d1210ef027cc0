/** JSON-RPC over the input and the output of a process, wherever it runs. */
import {
  catchError,
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { ProcessEvent, WriteStatus } from '../protocol/exec/process';
import { encodeMessage } from '../protocol/jsonrpc/encodeMessage';
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { Message } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import type { RpcIncoming, RpcOutgoing, RpcTransport } from '../protocol/rpc/messages';
import { decodeUtf8 } from '../streams/bytes/decodeUtf8';
import { splitLines } from '../streams/bytes/splitLines';
import { ofKind } from '../streams/ofKind';
import { type AcknowledgeLimits, acknowledgeEvery } from './acknowledgeEvery';
import type { Lagged } from './lag/lagged';
import { type RecoverDeps, recoverLag } from './lag/recoverLag';
import { logLines } from './logLines';
import { readMessages } from './readMessages';
import { toTransportError } from './transportError';

/**
 * @param event$ the process's events, as they come; `lagged` where some are missing
 * @param read the retained output, where events are missing
 * @param acknowledge reports what was received to an executor that holds output back until then
 * @param write emits its status once the process, or the pipe to it, has taken the bytes
 * @param closeStdin closes the input after the last message; it may error where an input cannot be closed
 * @param program its name in the log
 * @param decode the dialect of its lines; a `fault` without a `line` is logged and not emitted. Default: JSON-RPC 2.0
 * @param maxLineLength longest line of its output in UTF-16 units; a longer one is logged and not read: a response becomes an error. Default: no limit
 */
export type ProcessTransportDeps = RecoverDeps & {
  event$: Observable<ProcessEvent | Lagged>;
  acknowledge?: (seq: number) => Observable<unknown>;
  write: (chunk: Uint8Array) => Observable<WriteStatus>;
  closeStdin?: () => Observable<unknown>;
  log: Log;
  program: string;
  decode?: (line: string) => Message;
  maxLineLength?: number;
  logPerSecond?: number;
};

/** How long a refused message waits before it is an error: the process may have ended, with its last output still on the way. */
const LAST_OUTPUT_MS = 250;
/** Longer lines of error output are cut. */
const MAX_STDERR_LINE = 16_384;

/**
 * A process as a transport. Messages are sent one by one, each after the one before was accepted. A line that is not a message is
 * logged and skipped; so are both halves of a line that has lost output in it. Lost output is a `gap`. Error output is logged.
 * Completes after the last output of a process that closed, or after it failed, which is logged. Errors with TransportError when
 * the process did not take a message. Unsubscribing unsubscribes from `event$`, and so ends the process.
 *   out$   --a-------b----
 *   event$ s---o-o-e---x-oz|   (o half lines of output, e error output, x exited, z closed)
 *   in$    ------M-------(N|)
 * Source: codex 0.130.0 executor process transport.
 */
export const processTransport =
  (deps: ProcessTransportDeps): RpcTransport<JsonObject> =>
  (out$) =>
    deps.event$.pipe(
      recoverLag(deps),
      tap((event) => report(deps, event)),
      connect((event$) =>
        merge(
          event$.pipe(ofKind('gap'), map(toGap)),
          event$.pipe(acknowledgeOutput(deps.acknowledge)),
          event$.pipe(bytesOf('stdout'), decodeUtf8(), readMessages(deps)),
          event$.pipe(
            bytesOf('stderr'),
            decodeUtf8(),
            splitLines({ maxLength: MAX_STDERR_LINE }),
            logLines({ log: deps.log, program: deps.program, perSecond: deps.logPerSecond }),
          ),
          out$.pipe(send(deps), takeUntil(event$.pipe(last(null, null)))),
        ),
      ),
    );

const report = ({ log, program }: ProcessTransportDeps, event: ProcessEvent): void => {
  if (event.kind === 'failed') log('warning', 'a process failed', { program, reason: event.reason });
  if (event.kind === 'gap') {
    const { kind: _, seq: __, ...lost } = event;
    log('warning', 'output of a process is lost', { program, ...lost });
  }
};

const toGap = ({ missingBytes }: Extract<ProcessEvent, { kind: 'gap' }>): RpcIncoming<JsonObject> =>
  missingBytes === undefined ? { kind: 'gap' } : { kind: 'gap', missingBytes };

/** No line of JSON holds a NUL, so neither half of a line with a hole in it passes for a message. */
const HOLE = Uint8Array.of(0, 10, 0);

/** What a terminal shows counts as standard output. */
const bytesOf =
  (stream: 'stdout' | 'stderr'): OperatorFunction<ProcessEvent, Uint8Array> =>
  (event$) =>
    event$.pipe(
      mergeMap((event) => {
        if (event.kind === 'gap') return stream === 'stdout' ? [HOLE] : [];
        return event.kind === 'output' && (event.stream === 'stderr') === (stream === 'stderr') ? [event.chunk] : [];
      }),
    );

const send =
  ({ write, closeStdin = () => EMPTY, log, program }: ProcessTransportDeps): OperatorFunction<RpcOutgoing, never> =>
  (out$) =>
    concat(
      out$.pipe(
        map((message) => Buffer.from(`${encodeMessage(message)}\n`)),
        concatMap(write),
        concatMap((status) => (status === 'accepted' ? EMPTY : refuse(status))),
      ),
      defer(closeStdin).pipe(
        catchError((error: Error) => {
          log('info', 'the input of a process stays open', { program, why: error.message });
          return EMPTY;
        }),
      ),
    ).pipe(ignoreElements());

const refuse = (status: Exclude<WriteStatus, 'accepted'>): Observable<never> =>
  timer(LAST_OUTPUT_MS).pipe(concatMap(() => throwError(() => toTransportError(status))));

/** Half of what an executor lets a process have unacknowledged before the process waits. */
const LIMITS: AcknowledgeLimits = { bytes: 65_536, events: 1_024 };

/**
 * Acknowledges every 64 KiB or 1,024 events, one acknowledgement after another. One that fails is ignored: the connection was lost, and
 * what was missed is read again.
 * @param acknowledge undefined for an executor that holds nothing back
 * Emits nothing.
 */
export const acknowledgeOutput =
  (acknowledge: ((seq: number) => Observable<unknown>) | undefined): OperatorFunction<ProcessEvent, never> =>
  (event$) =>
    acknowledge === undefined
      ? EMPTY
      : event$.pipe(
          acknowledgeEvery(LIMITS),
          concatMap((seq) => acknowledge(seq).pipe(catchError(() => EMPTY))),
          ignoreElements(),
        );
