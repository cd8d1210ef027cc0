/** How messages reach an exec-server: over the streams of a child process, or over a WebSocket. */
import { catchError, concatMap, connect, EMPTY, filter, map, merge, type OperatorFunction, throwError } from 'rxjs';
import { maskAddress } from '../../io/log/maskAddress';
import { hideInLog } from '../../io/log/secretValues';
import type { PeerEvent } from '../../io/processes/fromChild';
import { decodeExecMessage, type ExecMessage, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import type { OutputStream } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { ofKind } from '../../streams/ofKind';
import { endOf, secretsOf } from '../endOf';
import { logLines } from '../readOutput';

/** One connection per subscription. Subscribes to the outgoing messages once established. Completes or errors when it is lost. */
export type ExecTransport = OperatorFunction<ExecOutgoing, ExecMessage>;

/** The machine is there and refuses the connection: its server has ended, or was not started. */
export class NotListening extends Error {
  override name = 'NotListening';
}

type OverStdioDeps = {
  /** Starts the child: lines in, events out. */
  peer: OperatorFunction<string, PeerEvent>;
  log: Log;
  /** The name in the log and in errors. */
  program: string;
  /** The variables of the child; their secrets are kept out of errors. */
  env?: Record<string, string>;
};

/**
 * Speaks with the child's standard streams; its error output becomes records of the log. Errors when it cannot be started, and when it
 * ends, with its exit code and its last error output: a program such as ssh writes there why it cannot connect.
 */
export const overStdio =
  ({ peer, log, program, env = {} }: OverStdioDeps): ExecTransport =>
  (out$) => {
    const secrets = secretsOf(env);
    return out$.pipe(
      map(encodeExecMessage),
      peer,
      connect((event$) =>
        merge(
          event$.pipe(linesOf('stdout'), filter(isWritten), map(decodeExecMessage)),
          event$.pipe(linesOf('stderr'), logLines({ log: hideInLog(log, secrets), program })),
          event$.pipe(
            concatMap((event) => (event.kind === 'failed' ? throwError(() => new Error(event.reason)) : EMPTY)),
          ),
          event$.pipe(endOf({ title: `the connection to the exec-server was lost: ${program}`, secrets })),
        ),
      ),
    );
  };

const isWritten = (line: string): boolean => /\S/.test(line);

const linesOf =
  (stream: OutputStream): OperatorFunction<PeerEvent, string> =>
  (event$) =>
    event$.pipe(
      ofKind('output'),
      filter((event) => event.stream === stream),
      map(({ chunk }) => chunk),
      decodeUtf8(),
      splitLines(),
    );

type OverWebSocketDeps = {
  /** Opens a socket for each subscription; one text is one message. */
  dial: OperatorFunction<string, string>;
  /** The address, for errors. */
  url: string;
};

/** Speaks over a WebSocket. Errors when it cannot be opened; with NotListening if nobody listens at the address. */
export const overWebSocket =
  ({ dial, url }: OverWebSocketDeps): ExecTransport =>
  (out$) =>
    out$.pipe(
      map(encodeExecMessage),
      dial,
      map(decodeExecMessage),
      catchError((error) => throwError(() => explained(url, error))),
    );

const explained = (url: string, error: unknown): unknown => {
  const { code, message = '' }: Partial<NodeJS.ErrnoException> = Object(error);
  if (code === 'ECONNREFUSED') return new NotListening(`${message}: ${START} ${maskAddress(url)}`);
  return /Unexpected server response: 401$/.test(message) ? new Error(`${message}: ${TOKEN}`) : error;
};

const START = 'nobody listens there; on that machine start codex-rx exec-server --listen';
const TOKEN = 'it expects another token; name the variable that has it in bearer_token_env_var of the environment';
