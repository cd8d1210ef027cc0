/** A server that is a child process: one life of it, as a transport. */
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
  take,
  throwError,
} from 'rxjs';
import { isSecretName, type Log, redactText } from '../log';
import type { ProcessEvent } from '../protocol/exec';
import type { JsonObject, Message } from '../protocol/jsonrpc';
import type { RpcTransport } from '../rpc';
import { ofKind } from '../streams';
import type { Backend, Started } from './backend';
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
/** How much of the error output an error has, and how much more is searched for a secret that lies across the cut. */
const STDERR_CHARS = 600;
const MARGIN_CHARS = 2_000;

/**
 * Starts the server. Errors when it ends, with its exit code and its last error output, without secrets, for clients get the
 * error.
 * Unsubscribing ends the process.
 */
export const childTransport =
  ({ backend, command, cwd, env, title, ...rest }: ChildTransportDeps): RpcTransport<JsonObject> =>
  (out$) =>
    backend.start({ argv: command, cwd, env, stdin: 'pipe', grace: GRACE }).pipe(
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

type Life = { code: number | null; failure: string; stderr: string };

/** Errors when the process has ended. */
const endOf =
  (title: string, secrets: readonly string[]) =>
  (event$: Observable<Started | ProcessEvent>): Observable<never> =>
    concat(event$, of({ kind: 'over' as const })).pipe(
      scan(
        (life: Life & { over?: true }, event): Life & { over?: true } => {
          if (event.kind === 'exited') return { ...life, code: event.exitCode };
          if (event.kind === 'failed') return { ...life, failure: event.reason };
          if (event.kind === 'over') return { ...life, over: true };
          if (event.kind !== 'output' || event.stream !== 'stderr') return life;
          return {
            ...life,
            stderr: (life.stderr + Buffer.from(event.chunk).toString()).slice(-STDERR_CHARS - MARGIN_CHARS),
          };
        },
        { code: null, failure: '', stderr: '' },
      ),
      concatMap((life) => (life.over ? throwError(() => new Error(toReason(title, life, secrets))) : EMPTY)),
    );

const secretsOf = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (isSecretName(name, value) ? [value] : []));

const COLOURS = /\u001b\[[\d;]*m/g;

const toReason = (title: string, { code, failure, stderr }: Life, secrets: readonly string[]): string => {
  const how = failure === '' ? `ended with exit code ${code}` : `could not be run: ${failure}`;
  const hide = redactText({ secrets, maxChars: Number.POSITIVE_INFINITY });
  const text = hide(stderr.replaceAll(COLOURS, '')).slice(-STDERR_CHARS).trim();
  return `${title} ${how}.${text && `\n${text}`}`;
};
