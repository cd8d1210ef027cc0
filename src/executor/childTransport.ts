/** One run of a server that is a child process, as a transport. */
import { connect, filter, merge, switchMap, take } from 'rxjs';
import { redactText } from '../io/log/redactText';
import { hideInLog } from '../io/log/secretValues';
import type { ProcessEvent } from '../protocol/exec/process';
import { decodeMessage } from '../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../protocol/jsonrpc/json';
import type { Message } from '../protocol/jsonrpc/messages';
import type { Log } from '../protocol/log';
import type { RpcTransport } from '../protocol/rpc/messages';
import { lazy } from '../streams/lazy';
import { ofKind } from '../streams/ofKind';
import type { Backend } from './backend';
import { endOf, secretsOf } from './endOf';
import { processTransport } from './processTransport';

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
