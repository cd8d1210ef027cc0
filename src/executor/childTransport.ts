/** A server that is a child process: one life of it, as a transport. */
import { stripVTControlCharacters } from 'node:util';
import {
  concat,
  concatMap,
  connect,
  EMPTY,
  filter,
  merge,
  type Observable,
  of,
  scan,
  switchMap,
  type Timestamp,
  take,
  throwError,
  timestamp,
} from 'rxjs';
import { isSecretName, type Log, redactText } from '../log';
import type { ProcessEvent } from '../protocol/exec';
import type { JsonObject, Message } from '../protocol/jsonrpc';
import type { RpcTransport } from '../rpc';
import { ofKind } from '../streams';
import type { Backend, Started } from './backend';
import { addErrorOutput, afterFirstMessage, type CrashOutput, NO_OUTPUT, toCrashOutput } from './crashOutput';
import { processTransport } from './processTransport';

/**
 * @param command program and arguments; @param title what it is called in an error, `program` in the log
 * @param decode the dialect of its lines. Default: JSON-RPC 2.0
 */
export type ChildTransportDeps = {
  backend: Backend;
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  log: Log;
  title: string;
  program: string;
  decode?: (line: string) => Message;
};

/** How long the process may take to end: after its input was closed, then after SIGTERM. Source: it needs some 25 ms. */
const GRACE = { inputMs: 1_000, termMs: 1_000 };
/** How much of the error output an error has. */
const STDERR_CHARS = 600;

/**
 * Starts the server. Errors when it ends, with its exit code and the error output of its end, without secrets, for clients
 * get the error.
 * Unsubscribing ends the process.
 */
export const childTransport =
  ({ backend, command, cwd, env, title, ...rest }: ChildTransportDeps): RpcTransport<JsonObject> =>
  (out$) =>
    backend.start({ argv: command, cwd, env, stdin: 'pipe', grace: GRACE, holdOutput: true }).pipe(
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
              })(out$),
            ),
          ),
          event$.pipe(endOf(title, secretsOf(env))),
        ),
      ),
    );

type Life = { code: number | null; failure: string; output: CrashOutput; endMs?: number };

const NO_LIFE: Life = { code: null, failure: '', output: NO_OUTPUT };

/** Errors when the process has ended. */
const endOf =
  (title: string, secrets: readonly string[]) =>
  (event$: Observable<Started | ProcessEvent>): Observable<never> =>
    concat(event$, of('over' as const)).pipe(
      timestamp(),
      scan(reduceLife, NO_LIFE),
      concatMap((life) =>
        life.endMs === undefined ? EMPTY : throwError(() => new Error(toReason(title, life, secrets))),
      ),
    );

type LifeEvent = Started | ProcessEvent | 'over';

const reduceLife = (life: Life, { value: event, timestamp: atMs }: Timestamp<LifeEvent>): Life => {
  if (event === 'over') return { ...life, endMs: atMs };
  if (event.kind === 'exited') return { ...life, code: event.exitCode };
  if (event.kind === 'failed') return { ...life, failure: event.reason };
  if (event.kind !== 'output') return life;
  if (event.stream !== 'stderr') return { ...life, output: afterFirstMessage(life.output) };
  return { ...life, output: addErrorOutput(life.output, Buffer.from(event.chunk).toString(), atMs) };
};

const secretsOf = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (isSecretName(name, value) ? [value] : []));

const toReason = (title: string, { code, failure, output, endMs = 0 }: Life, secrets: readonly string[]): string => {
  const how = failure === '' ? `ended with exit code ${code}` : `could not be run: ${failure}`;
  const hide = redactText({ secrets, maxChars: Number.POSITIVE_INFINITY });
  const text = hide(stripVTControlCharacters(toCrashOutput(output, endMs)))
    .slice(-STDERR_CHARS)
    .trim();
  return `${title} ${how}.${text && `\n${text}`}`;
};
