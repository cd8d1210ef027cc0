/** The calls of a connection as messages: their events and results, their progress, the log. */
import {
  catchError,
  connect,
  defer,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  scan,
  takeUntil,
  withLatestFrom,
} from 'rxjs';
import { mapTexts, wordOf } from '../../protocol/jsonrpc/json';
import type { Notification, Outgoing } from '../../protocol/jsonrpc/messages';
import type { Log, LogRecord } from '../../protocol/log';
import { MCP_LOG_LEVELS, type McpLogLevel } from '../../protocol/mcp/mcp';
import type { CodexHost } from '../../protocol/methods/host';
import { failureOutcome, reportBug } from '../../protocol/rpc/failureOutcome';
import { divert } from '../../streams/divert';
import { mapMulti } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import { toVisibleScript } from '../../streams/text/visible';
import { runCalls, turns } from '../calls/runCalls';
import { type CallOutput, endsWait } from '../calls/step';
import type { Stored } from '../conversations/receiveRequest';
import type { Caller } from './caller';
import {
  type ConnectionDeps,
  type ConnectionInput,
  type ConnectionOutput,
  codexRoom,
  connectionReducer,
} from './connectionReducer';
import type { McpDeps } from './mcpDeps';
import type { Command, ConversationCommand } from './methods/method';
import { sealer } from './methods/requestState';
import { pingWhileSilent } from './progress/pingWhileSilent';
import { progressNotifications } from './progress/progressNotifications';
import { keepTask, pauses, taskDeps, taskInputs } from './tasksOfCalls';
import { toMessages, toQuestion } from './toMessages';

/**
 * Serves the calls among the commands, and the log. Completes with the command `end`, which answers what waits and stops all
 * turns.
 *   in  b------x-z|    (b begin, x cancel, z end)
 *   out --E-E--S-|     (E events, S the end of a request without a response)
 */
export const serveCalls = (given: McpDeps, command$: Observable<Command>): Observable<Outgoing> => {
  const deps = { ...given, after: steadyTimer(given) };
  const expiresAt = () => deps.clockMs() + deps.askTimeoutMs;
  const toMessagesHere = orFailure(deps, toMessages({ ...deps, sealer: sealer(deps), expiresAt }));
  const level$ = command$.pipe(ofKind('level'));
  const end$ = command$.pipe(ofKind('end'));
  const input$ = command$.pipe(filter(isForCalls), withStored(deps));
  return merge(input$, taskInputs(deps, command$), pauses(deps, command$)).pipe(
    runCalls(
      { ...deps, engine: deps.face.adapt({ now: deps.now, newId: deps.newCallId })(deps.engine) },
      connectionReducer(toConnectionDeps(deps)),
    ),
    connect((item$) => {
      const output$ = item$.pipe(filter(isOutput));
      return merge(
        item$.pipe(
          mapMulti<ConnectionOutput, Outgoing>((item, emit) => {
            if (isOutput(item)) toMessagesHere(item).forEach(emit);
            else if (item.kind === 'task') keepTask(deps, item).forEach(emit);
            else emit(item);
          }),
        ),
        output$.pipe(progressNotifications({ ...deps.face, after: deps.after })),
        level$.pipe(logMessages({ ...deps, output$ }), takeUntil(end$)),
      ).pipe(connect((message$) => merge(message$, message$.pipe(pingWhileSilent(deps, output$)))));
    }),
  );
};

/** A timer that fails never fires: the call goes on without progress. */
export const steadyTimer =
  ({ after, log }: Pick<McpDeps, 'after' | 'log'>): McpDeps['after'] =>
  (ms) =>
    defer(() => after(ms)).pipe(
      catchError((error: unknown) => {
        reportBug(log)(error);
        return NEVER;
      }),
    );

/** A bug in the making of a message fails the request that waits for it. */
const orFailure =
  (deps: McpDeps, toMessages: (output: CallOutput<Caller>) => Outgoing[]) =>
  (output: CallOutput<Caller>): Outgoing[] => {
    try {
      return toMessages(output);
    } catch (error) {
      const { id, batch } = output.call.caller;
      const failure = failureOutcome(deps)(error);
      return endsWait(output) ? [{ kind: 'response', id, batch, ...failure }] : [];
    }
  };

/** Requests of Codex methods name no revision. */
const UNKNOWN = { capabilities: {} };

const toConnectionDeps = (deps: McpDeps): ConnectionDeps => ({
  newId: deps.newCallId,
  msg: deps.face.msg,
  elicitation: (event) => toQuestion(deps.face, UNKNOWN, event),
  extended: deps.face.extended,
  numbersReplies: deps.face.numbersReplies,
  log: deps.log,
  tasks: taskDeps(deps),
});

const isOutput = (item: ConnectionOutput): item is CallOutput<Caller> => 'call' in item;

const OF_CALLS = {
  begin: true,
  resume: true,
  pause: true,
  wait: true,
  answered: true,
  cancel: true,
  leave: true,
  end: true,
  conversation: true,
  taskUpdate: true,
  taskCancel: true,
};

const isForCalls = (command: Command): command is ConnectionInput => Object.hasOwn(OF_CALLS, command.kind);

type StoredDeps = {
  /** Called by the first request that needs it. */
  codexHost: () => CodexHost;
  log: Log;
};

/**
 * Adds what is on disk to the requests that resume a conversation; all else passes at once.
 *   in   a-r-b----      (r resumeConversation)
 *   out  a---b-R--      (R with its conversation, or why there is none)
 */
export const withStored = (deps: StoredDeps): MonoTypeOperatorFunction<ConnectionInput> =>
  divert<ConnectionInput, ConversationCommand, ConnectionInput>({
    project: (input, { emit, divert }) => (isResume(input) ? divert(input) : emit(input)),
    other: mergeMap((input) => find(deps, input.request.params).pipe(map((stored) => ({ ...input, stored })))),
  });

const isResume = (input: ConnectionInput): input is ConversationCommand =>
  input.kind === 'conversation' && input.request.method === 'resumeConversation';

const find = ({ codexHost, log }: StoredDeps, { conversationId, path }: Record<string, unknown>): Observable<Stored> =>
  defer(() =>
    codexHost().findStored({
      ...(typeof conversationId === 'string' && { id: conversationId }),
      ...(typeof path === 'string' && { path }),
    }),
  ).pipe(
    catchError((error: Error) =>
      of({
        fault:
          error instanceof codexRoom().HostError
            ? error.message
            : turns().reportFault(log, { what: 'a request failed', callId: '' }, error),
      }),
    ),
  );

type LogDeps = {
  /** The log; hot. */
  record$: Observable<LogRecord>;
  /** Removes the secrets from a record; called for records that are sent. */
  cleanRecord: (record: LogRecord) => LogRecord;
  /** Outputs of the calls; hot. */
  output$: Observable<CallOutput<Caller>>;
};

type LevelCommand = Extract<Command, { kind: 'level' }>;

type Levels = {
  /** Set by a legacy client. */
  connection?: McpLogLevel;
  /** Named by waiting requests of 2026-07-28, by callId. */
  calls: ReadonlyMap<string, McpLogLevel>;
};

const NOTHING: Levels = { calls: new Map() };

/**
 * A client gets the records at its level and above; a request of 2026-07-28 only the records of its call. Emits the responses to the commands too.
 * Completes when all sources have.
 *   level   -l------|
 *   record  r---r-r-|    (only the last one reaches the level)
 *   out     -L----N-|    (L the response)
 */
export const logMessages =
  ({ record$, cleanRecord, output$ }: LogDeps) =>
  (level$: Observable<LevelCommand>): Observable<Outgoing> =>
    merge(
      level$.pipe(map(({ response }) => response)),
      record$.pipe(
        withLatestFrom(
          merge(level$, output$.pipe(filter(isWithLevel))).pipe(scan(toLevels, NOTHING)), // no record is requested before the first of them
        ),
        filter(([record, levels]) => isRequested(record, levels)),
        map(([record]) => toLogMessage(cleanRecord(record))),
      ),
    );

const isWithLevel = ({ kind, call }: CallOutput<Caller>): boolean =>
  kind !== 'event' && kind !== 'deltas' && call.caller.era.logLevel !== undefined;

const toLevels = (levels: Levels, change: LevelCommand | CallOutput<Caller>): Levels => {
  if (change.kind === 'level') return { ...levels, connection: change.level };
  const { callId, caller } = change.call;
  const calls = new Map(levels.calls);
  if (change.kind === 'begun' || change.kind === 'resumed') calls.set(callId, caller.era.logLevel as McpLogLevel);
  else if (endsWait(change)) calls.delete(callId);
  return { ...levels, calls };
};

const isRequested = (record: LogRecord, { connection, calls }: Levels): boolean =>
  isAtLeast(record, connection) || isAtLeast(record, calls.get(wordOf(record.fields?.callId)));

const isAtLeast = ({ level }: LogRecord, lowest: McpLogLevel | undefined): boolean =>
  lowest !== undefined && MCP_LOG_LEVELS.indexOf(level) >= MCP_LOG_LEVELS.indexOf(lowest);

/** Source: server/utilities/logging "Log Message Notifications". */
const toLogMessage = ({ level, message, fields }: LogRecord): Notification => ({
  kind: 'notification',
  method: 'notifications/message',
  params: { level, logger: 'codex-rx', data: mapTexts({ message, ...fields }, toVisibleScript) },
});
