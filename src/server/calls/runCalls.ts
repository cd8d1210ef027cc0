/** The calls of one connection on one engine, which all protocol faces of the connection share. */
import {
  catchError,
  connect,
  defer,
  EMPTY,
  filter,
  from,
  type MonoTypeOperatorFunction,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  repeat,
  Subject,
  take,
  tap,
} from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type CodexEvent, type Event, isLast } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import type { Log, LogRecord } from '../../protocol/log';
import { gather } from '../../streams/gather';
import { lazy } from '../../streams/lazy';
import { joinWords } from '../../streams/text/words';
import { type AskDeps, askCaller } from './askCaller';
import type { EngineInput } from './step';

export type CallsDeps = AskDeps & { engine: Engine; log: Log };

/** The reducer of a connection: the reducer of the calls, or a reducer that contains it. */
export type ConnectionReducer<S, I, O> = {
  initial: S;
  reduce: (state: S, input: I | Event) => { state: S; output: readonly O[]; ops: readonly EngineInput[] };
  isEnded: (state: S) => boolean;
};

/**
 * Runs the calls that the inputs begin. Emits what faces turn into messages. Completes with the input `end`, which stops all turns. An error of the
 * engine ends the open calls, see `withoutErrors`.
 *   in   b------x-z|    (b begin, x cancel, z end)
 *   out  BE-E---X-|     (B begun, E events, X cancelled)
 */
export const runCalls =
  <S, I, O>(deps: CallsDeps, { initial, reduce, isEnded }: ConnectionReducer<S, I, O>): OperatorFunction<I, O> =>
  (input$) =>
    defer(() => {
      const op$ = new Subject<EngineInput>(); // the wire from the reducer to the engine, which keeps nothing
      // The engine is subscribed before the inputs are: an input that comes synchronously already leads to an operation.
      return merge(runEngine(deps, op$), input$).pipe(
        gather<I | Event, O>(() => {
          let state = initial;
          return {
            next: (input, emit, complete) => {
              const step = reduce(state, input);
              state = step.state;
              step.output.forEach(emit);
              for (const op of step.ops) op$.next(op); // when the output has left, for what they cause comes after it
              if (isEnded(step.state)) complete();
            },
          };
        }),
      );
    });

const runEngine = ({ engine, log, ...deps }: CallsDeps, op$: Observable<EngineInput>) =>
  op$.pipe(
    filter((item): item is Op => item.kind !== 'verdict' && item.kind !== 'wait'),
    withoutErrors(log, engine)(askCaller(deps, op$)),
    logEvents(log),
  );

/** Logs the main steps of each call. Passes every event unchanged. */
export const logEvents =
  (log: Log): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    event$.pipe(
      tap((event) => {
        const record = toRecord(event);
        if (record) log(record.level, record.message, { callId: event.callId, ...record.fields });
      }),
    );

/** The log record of an event; undefined if the event is not logged. */
export const toRecord = (event: Event): LogRecord | undefined => {
  switch (event.kind) {
    case 'rejected':
      return { level: 'warning', message: 'a call was rejected', fields: { reason: event.message } };
    case 'declined':
      return {
        level: 'notice',
        message: 'not done',
        fields: { what: event.what, reason: event.reason ?? 'the client declined it' },
      };
    case 'event':
      return toEventRecord(event, event.msg);
    default:
      return undefined;
  }
};

type Records = { [T in EventMsg['type']]?: (msg: Extract<EventMsg, { type: T }>, threadId: string) => LogRecord };

const toEndRecord = ({ type }: EventMsg, threadId: string): LogRecord => ({
  level: 'info',
  message: 'a turn ended',
  fields: { threadId, as: type },
});

const RECORDS: Records = {
  task_started: (_, threadId) => ({ level: 'info', message: 'a turn started', fields: { threadId } }),
  stream_error: ({ message: reason }) => ({
    level: 'warning',
    message: 'the connection to the model was lost',
    fields: { reason },
  }),
  warning: ({ message: reason }, threadId) => ({
    level: 'warning',
    message: 'a turn goes on with a warning',
    fields: { threadId, reason },
  }),
  error: ({ message: reason }, threadId) => ({
    level: 'error',
    message: 'a turn failed',
    fields: { threadId, reason },
  }),
  task_complete: toEndRecord,
  turn_aborted: toEndRecord,
  exec_approval_request: ({ command, cwd }) => ({
    level: 'info',
    message: 'approval requested',
    fields: { command: joinWords(command), cwd },
  }),
  exec_command_begin: ({ command, cwd }) => ({
    level: 'info',
    message: 'a command started',
    fields: { command: joinWords(command), cwd },
  }),
  exec_command_end: ({ exit_code: exitCode }) => ({ level: 'info', message: 'a command ended', fields: { exitCode } }),
};

const toEventRecord = <T extends EventMsg['type']>(
  { threadId }: CodexEvent,
  msg: Extract<EventMsg, { type: T }>,
): LogRecord | undefined => {
  const toRecord: Records[T] = RECORDS[msg.type as T];
  return toRecord?.(msg, threadId);
};

/**
 * The same engine, which never errors and is subscribed at its first operation. Whatever throws in it rejects the calls that are open then; the
 * next operation starts the engine again. An error of a single call should not get this far, because it ends the other calls too.
 *   op      a-b--c-     (a ends, b is open when the engine errors, c comes after it)
 *   engine  A--#
 *   out     A--(R)C     (R b is rejected with the reason)
 */
export const withoutErrors =
  (log: Log, engine: Engine): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((shared$) => {
        const open = new Map<string, Op>(); // changed in place: the calls that have had no last event
        let hasFailed = false;
        return shared$.pipe(
          tap((op) => op.kind !== 'interrupt' && open.set(op.callId, op)),
          fromFirst((op$) => engine(ask)(op$)),
          tap((event) => isLast(event) && open.delete(event.callId)),
          catchError((error: unknown) => {
            hasFailed = true;
            return rejected(log, open, error instanceof Error ? error : new Error(String(error)));
          }),
          repeat({
            delay: () => {
              const again$ = hasFailed ? of(true) : EMPTY;
              hasFailed = false;
              return again$;
            },
          }),
        );
      }),
    );

const rejected = (log: Log, open: Map<string, Op>, error: Error): Observable<Event> => {
  const calls = [...open.values()];
  open.clear();
  const { rejection, rejectionText } = turns();
  const message = rejectionText(log, calls[0] ?? { callId: '' }, error);
  return from(calls.map((op) => rejection(op, message)));
};

/** Subscribes the engine to all later operations before it gets the first, as an event of the first may lead to another operation. */
const fromFirst =
  (engine: OperatorFunction<Op, Event>): OperatorFunction<Op, Event> =>
  (op$) =>
    op$.pipe(
      connect((op$) =>
        op$.pipe(
          take(1),
          mergeMap((first) => merge(op$, of(first)).pipe(connect(engine))),
        ),
      ),
    );

/** Loaded by the first error, as start-up time counts: it knows the errors of the configuration. */
export const turns = lazy(() => require('../../agent/turns/rejection') as typeof import('../../agent/turns/rejection'));
