/**
 * JSON-RPC over the standard streams of a process, wherever it runs: on this machine, in a sandbox, or on an exec-server.
 *
 *   event$ -> recoverLag -+-> gaps ------------------------------> in$
 *                         +-> acknowledgements ------------------> executor
 *                         +-> stdout -> text -> lines -> messages -> in$
 *                         +-> stderr -> text -> lines -----------> log
 *   out$ -> lines -> write, one after another -> close the input
 *
 * 1. Order. An executor numbers the events of a process. A reader that was slow or disconnected has missed some. `recoverLag` reads them again from the
 *    executor, so everything below gets each event once and in order.
 * 2. Gaps. Output that the executor no longer retains is a `gap`. It is emitted, as a response may be lost in it: the peer then gives up its open requests.
 *    The two halves of a line with a gap in it must not pass for a message, so each half gets a character that JSON does not allow.
 * 3. Acknowledgements. An executor that holds output back stops the process at a limit. Events are acknowledged in time, so a process never waits
 *    for a reader that keeps up.
 * 4. Messages. Output is bytes, cut anywhere. It becomes text, then lines, then messages. A line that is not a message is logged and skipped, as many
 *    servers print a banner. A line that is too long is not buffered; if it is a response, its request gets an error.
 * 5. Error output is for people: it is logged by lines, at a limited rate.
 * 6. Writes. A message is written once the process, or the pipe to it, has accepted the message before: this is the backpressure of the wire. After the last
 *    message the input is closed, which is how a process learns that its client is gone.
 * 7. Refusals. A process that ends refuses messages while its last output may still be on the way. A refusal is therefore an error only after a short
 *    wait; if the process closes before that, the stream completes instead.
 * 8. The end. `exited` is not the end, as output may follow: `closed` is, or `failed`. Error, completion and unsubscription all unsubscribe
 *    from `event$`, and so end the process.
 * Source: codex 0.130.0 executor process transport.
 */
import {
  catchError,
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { redactText } from '../io/log/redactText';
import { hideInLog } from '../io/log/secretValues';
import type { ProcessEvent, WriteStatus } from '../protocol/exec/process';
import { decodeMessage } from '../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../protocol/jsonrpc/encodeMessage';
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { Message } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import type { RpcIncoming, RpcOutgoing, RpcTransport } from '../protocol/rpc/messages';
import { decodeUtf8 } from '../streams/bytes/decodeUtf8';
import { splitLines } from '../streams/bytes/splitLines';
import { lazy } from '../streams/lazy';
import { ofKind } from '../streams/ofKind';
import { inputFirst } from '../streams/time/limits';
import { acknowledgeOutput } from './acknowledge';
import type { Backend, Process } from './backend';
import { endOf, secretsOf } from './endOf';
import { type Lagged, recoverLag } from './lag/recoverLag';
import { logLines, type ReadMessagesDeps, readMessages } from './readOutput';
import { toTransportError } from './transportError';

/** The process, and how its output is read. */
export type ProcessTransportDeps = Pick<Process, 'read' | 'acknowledge' | 'write' | 'closeStdin'> &
  ReadMessagesDeps & {
    /** The events of the process, as they arrive; `lagged` if some are missing. */
    event$: Observable<ProcessEvent | Lagged>;
    /** How many lines of error output are logged per second. Default: 100. */
    logPerSecond?: number;
  };

/** How long a refused message waits before it is an error. */
const LAST_OUTPUT_MS = 250;
/** Longer lines of error output are cut. In UTF-16 units. */
const MAX_STDERR_LINE = 16_384;

/**
 * A process as a transport. Emits messages, and a `gap` for lost output. Completes after the last output of a process that closed, or after it failed,
 * which is logged. Errors with TransportError if the process did not accept a message.
 *   out$   --a-------b----
 *   event$ s---o-o-e---x-oz|   (o half lines of output, e error output, x exited, z closed)
 *   in$    ------M-------(N|)
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

/** NUL, newline, NUL: ends the line before the gap and spoils both halves, as no JSON text holds a NUL. */
const HOLE = Uint8Array.of(0, 10, 0);

/** The output of a terminal counts as standard output. */
const bytesOf =
  (stream: 'stdout' | 'stderr'): OperatorFunction<ProcessEvent, Uint8Array> =>
  (event$) =>
    event$.pipe(
      mergeMap((event) => {
        if (event.kind === 'gap') return stream === 'stdout' ? [HOLE] : [];
        return event.kind === 'output' && (event.stream === 'stderr') === (stream === 'stderr') ? [event.chunk] : [];
      }),
    );

/** Emits nothing. Only an own exec-server can close an input; that another cannot is logged. */
const send =
  ({ write, closeStdin, log, program }: ProcessTransportDeps): OperatorFunction<RpcOutgoing, never> =>
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
  timer(LAST_OUTPUT_MS, inputFirst).pipe(concatMap(() => throwError(() => toTransportError(status))));

type ChildTransportDeps = {
  backend: Backend;
  /** The program and its arguments. */
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  log: Log;
  /** The name of the server in errors. */
  title: string;
  /** The name of the server in the log. */
  program: string;
  /** The dialect of its lines. Default: JSON-RPC 2.0. */
  decode?: (line: string) => Message;
  /** The longest line in UTF-16 units; a longer response is an error. Default: no limit. */
  maxLineLength?: number;
};

/** How long the process may take to end: after its input was closed, then after SIGTERM. Source: it needs some 25 ms. */
const GRACE = { inputMs: 1_000, termMs: 1_000 };

const LINE_CHARS = 200;

const quoting = (secrets: readonly string[], decode = decodeMessage): ((line: string) => Message) => {
  const hide = lazy(() => redactText({ secrets, maxChars: LINE_CHARS }));
  return (line) => {
    const message = decode(line);
    return message.kind === 'fault' ? { ...message, line: hide()(line) } : message;
  };
};

/**
 * Starts the server. Errors when it ends, with its exit code and its last error output, redacted, as clients see the error; so is what it writes
 * to the log. A `fault` has the line that is not a message, shortened and redacted. Unsubscribing ends the process.
 */
export const childTransport =
  ({ backend, command, cwd, env, log, title, decode, ...rest }: ChildTransportDeps): RpcTransport<JsonObject> =>
  (out$) => {
    const secrets = secretsOf(env, command);
    return backend.start({ argv: command, cwd, env, stdin: 'pipe', grace: GRACE, holdOutput: true }).pipe(
      connect((event$) =>
        merge(
          event$.pipe(
            ofKind('started'),
            take(1),
            switchMap(({ process }) =>
              processTransport({
                ...process,
                event$: event$.pipe(filter((event): event is ProcessEvent => event.kind !== 'started')),
                ...rest,
                log: hideInLog(log, secrets),
                decode: quoting(secrets, decode),
              })(out$),
            ),
          ),
          event$.pipe(endOf({ title, secrets })),
        ),
      ),
    );
  };
