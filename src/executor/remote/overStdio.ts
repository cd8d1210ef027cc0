/** The connection to an exec-server that is a child process and speaks on its standard streams. */
import { concatMap, connect, EMPTY, filter, map, merge, type OperatorFunction, throwError } from 'rxjs';
import { hideInLog } from '../../io/log/secretValues';
import type { PeerEvent } from '../../io/processes/fromChild';
import { decodeExecMessage, encodeExecMessage } from '../../protocol/exec/codec';
import type { OutputStream } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { ofKind } from '../../streams/ofKind';
import { endOf, secretsOf } from '../endOf';
import { logLines } from '../logLines';
import type { ExecTransport } from './execTransport';

/** @param peer the child, as lines to events; @param program its name in log and errors; @param env its variables, whose secrets are kept out of errors */
export type OverStdioDeps = {
  peer: OperatorFunction<string, PeerEvent>;
  log: Log;
  program: string;
  env?: Record<string, string>;
};

/**
 * Speaks with the child's standard streams; its error output becomes records of the log. Errors when it cannot be started, and when it
 * ends, with its exit code and the error output of its end: a program such as ssh writes there why it cannot connect.
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
