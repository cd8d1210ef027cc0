/** Starts a process on an exec-server exactly once, even across a lost connection. */
import { catchError, concatMap, map, type Observable, of, retry, throwError, timer } from 'rxjs';
import type { ProcessSpec } from '../../protocol/exec/process';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { ImposedLimit } from '../backend';
import { toUri } from '../toPath';
import { EXEC_SERVER } from './openConnection';
import type { Session } from './openSession';

const STARTING_WAIT_MS = 50;
const STARTING_ATTEMPTS = 100;
const NEVER_STARTED = `the connection to ${EXEC_SERVER} was lost while the process started, and the server never finished starting it; run it again`;

/** What a server reports of a process that it started. */
type Begun = {
  /** The server holds output back, as it was asked to. */
  holdsOutput: boolean;
  keptBy?: ImposedLimit;
};

/** Emits once when the process has started. Nobody else uses its id. If a repeated start finds the id taken, the first start was received. */
export const startProcess = (session: Session, processId: string, spec: ProcessSpec): Observable<Begun> =>
  session.request('process/start', toParams(processId, spec), 'repeat').pipe(
    concatMap((result) => (isUnconfined(spec, result) ? endUnconfined(session, processId) : of(result))),
    map((result): Begun => (isObject(result) ? toBegun(result) : { holdsOutput: false })),
    catchError((error) =>
      isRefusal(error, `process ${processId} already exists`)
        ? startedBefore(session, processId).pipe(map((): Begun => ({ holdsOutput: spec.holdOutput === true }))) // the first result is lost
        : throwError(() => error),
    ),
  );

const toBegun = ({ holdsOutput, keptBy }: JsonObject): Begun => ({
  holdsOutput: holdsOutput === true,
  ...(isObject(keptBy) &&
    typeof keptBy.text === 'string' && {
      keptBy: { text: keptBy.text.slice(0, MAX_TEXT), network: keptBy.network === 'open' ? 'open' : 'closed' },
    }),
});

/** It is shown to people and to the model. */
const MAX_TEXT = 1_000;

/** Source: codex exec-server 0.169.0, whose results name the sandbox; 0.142.0 enforces it without naming it. */
const isUnconfined = ({ elsewhere }: ProcessSpec, result: unknown): boolean =>
  elsewhere?.sandbox?.permissions.type === 'managed' && isObject(result) && result.sandboxType === 'none';

const endUnconfined = ({ request }: Session, processId: string): Observable<never> =>
  request('process/terminate', { processId }, 'repeat').pipe(
    map(() => {
      throw new Error(UNCONFINED);
    }),
  );

const UNCONFINED = `${EXEC_SERVER} started the process without the sandbox that was asked for, so it was terminated`;

/** Waits until the process can be read. Errors when it never can: codex exec-server 0.169.0 may respond `starting` forever after a loss. */
const startedBefore = ({ request }: Session, processId: string): Observable<unknown> =>
  request('process/read', { processId, afterSeq: 0, maxBytes: 0, waitMs: 0 }, 'repeat').pipe(
    retry({
      delay: (error, attempts) => {
        if (!isRefusal(error, `process id ${processId} is starting`)) return throwError(() => error);
        return attempts < STARTING_ATTEMPTS ? timer(STARTING_WAIT_MS) : throwError(() => new Error(NEVER_STARTED));
      },
    }),
  );

const isRefusal = (error: unknown, message: string): boolean => error instanceof RpcError && error.message === message;

const toParams = (
  processId: string,
  { argv, cwd, env, arg0, stdin, tty, grace, holdOutput, elsewhere }: ProcessSpec,
): JsonObject => ({
  processId,
  argv,
  cwd: toUri(cwd),
  env,
  tty: tty === true,
  pipeStdin: stdin === 'pipe',
  arg0: arg0 ?? null,
  ...(grace && { grace }),
  ...(holdOutput && { holdOutput }),
  ...elsewhere,
});
