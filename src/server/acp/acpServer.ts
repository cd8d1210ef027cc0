/** The server of ACP as one operator, from lines to lines. */
import {
  catchError,
  concat,
  connect,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  take,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
import { decodeInTurns } from '../../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import { type Fault, INVALID_PARAMS, INVALID_REQUEST, type Message } from '../../protocol/jsonrpc/messages';
import { type CodexHost, HostError } from '../../protocol/methods/host';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { ConfigError } from '../../settings/faults/configError';
import { ofKind } from '../../streams/ofKind';
import { type CallsDeps, runCalls } from '../calls/runCalls';
import { type AcpInput, acpReducer } from './acpReducer';
import { jobOf } from './jobs';
import type { Pace } from './replay';
import { type AcpDeps, type AcpOutput, type Job, type Sent, toSentence } from './session';

/** What the server needs. */
export type AcpServerDeps = CallsDeps &
  AcpDeps &
  Pace & {
    /** What the requests need of this machine; called by the first of them. */
    codexHost: () => CodexHost;
    /** Ends the connection before its input does. Emits the cause, as a sentence. */
    stop$: Observable<string>;
  };

const INPUT_ENDED = 'The turn was stopped: the input of the agent ended.';

/**
 * An agent of ACP, from lines to lines. Every request is answered once. When the source completes or `stop$` emits, open requests are answered and all
 * turns are stopped. Never errors because of what a client sends.
 *   in  i--n--p------y-----|    (i initialize, n session/new, p session/prompt, y the person's yes)
 *   out I--N--u--u-Q--u--uP|    (u session/update, Q session/request_permission, P the response to the prompt)
 */
export const acpServer =
  (deps: AcpServerDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      decodeInTurns(),
      map(refuseBatch),
      connect((message$) =>
        merge(
          message$.pipe(ofKind('fault'), map(toErrorResponse(deps))),
          message$.pipe(filter(isInput), untilEnd(deps), serveInputs(deps)),
        ),
      ),
      map(encodeMessage),
    );

type Single = Exclude<Message, { kind: 'batch' }>;

/** Source: docs/protocol/v1/transports: messages are individual, so there are no batches. */
const refuseBatch = (message: Message): Single =>
  message.kind === 'batch'
    ? {
        kind: 'fault',
        id: null,
        code: INVALID_REQUEST,
        message: 'Invalid Request: a batch; send its messages one by one',
      }
    : message;

type Received = Exclude<Single, Fault>;
const isInput = (message: Single): message is Received => message.kind !== 'fault';

const toErrorResponse =
  ({ log }: Pick<AcpServerDeps, 'log'>) =>
  ({ id, code, message }: Fault): Sent => {
    log('warning', 'a line was rejected', { reason: message });
    return { kind: 'response', id, error: { code, message: toSentence(message) } };
  };

/** The inputs, and then the end of input or a stop, whichever comes first. */
const untilEnd =
  ({ stop$ }: Pick<AcpServerDeps, 'stop$'>): OperatorFunction<Received, AcpInput> =>
  (input$) =>
    merge(stop$.pipe(take(1), map(toEnd)), concat(input$, of(toEnd(INPUT_ENDED)))).pipe(
      takeWhile(({ kind }) => kind !== 'end', true),
    );

const toEnd = (cause: string): AcpInput => ({ kind: 'end', cause });

const serveInputs =
  (deps: AcpServerDeps): OperatorFunction<AcpInput, Sent> =>
  (input$) =>
    defer(() => {
      const done$ = new Subject<AcpInput>(); // the wire from the jobs to the reducer
      const over$ = new Subject<void>(); // the wire from the end of the connection to the jobs
      return merge(done$.pipe(takeUntil(over$)), input$).pipe(
        runCalls(deps, acpReducer(deps)),
        tap({ complete: () => over$.next() }),
        connect((output$) =>
          merge(
            output$.pipe(filter(isSent)),
            output$.pipe(ofKind('soon'), mergeMap(sendSoon(deps)), takeUntil(over$)),
            output$.pipe(
              ofKind('job'),
              mergeMap((job) => runJob(deps, job).pipe(takeUntil(dropped(output$, job)))),
              takeUntil(over$),
              tap(done$),
              ignoreElements(),
            ),
          ),
        ),
      );
    });

const NO_MESSAGES: readonly string[] = ['job', 'drop', 'soon', 'noResponse'];
const isSent = (output: AcpOutput): output is Sent => !NO_MESSAGES.includes(output.kind);

const dropped = (output$: Observable<AcpOutput>, { key }: Job): Observable<unknown> =>
  output$.pipe(filter((output) => output.kind === 'drop' && output.key === key));

/** A client that reads two messages at once handles both before whatever waits for the first. */
const SOON_MS = 50;

const sendSoon =
  ({ after }: Pace) =>
  ({ message }: Extract<AcpOutput, { kind: 'soon' }>): Observable<Sent> =>
    after(SOON_MS).pipe(map(() => message));

/** What a job leads to; a fault of the client or of this machine becomes the error of its response. */
const runJob = ({ codexHost, backpressure, after, log }: AcpServerDeps, { key, ...job }: Job): Observable<AcpInput> =>
  defer(() => jobOf({ ...codexHost(), backpressure, after }, job)).pipe(
    map((event): AcpInput => (event.kind === 'result' ? { ...event, kind: 'jobEnded', key } : { ...event, key })),
    catchError((error: unknown) => of<AcpInput>({ kind: 'failed', key, ...failureOf(log, error) })),
  );

const failureOf = (log: AcpServerDeps['log'], error: unknown) =>
  error instanceof ConfigError || error instanceof HostError
    ? { error: { code: INVALID_PARAMS, message: toSentence(error.message) } }
    : failureOutcome({ log })(error);
