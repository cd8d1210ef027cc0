/** The daemon's log as messages, for clients that ask for it. */
import { filter, map, merge, type Observable, scan, withLatestFrom } from 'rxjs';
import type { Notification, Outgoing } from '../../protocol/jsonrpc/messages';
import type { LogRecord } from '../../protocol/log';
import { MCP_LOG_LEVELS, type McpLogLevel } from '../../protocol/mcp/mcp';
import { endsWait } from '../calls/endsWait';
import type { CallOutput } from '../calls/step';
import type { Caller } from './caller';
import type { Command } from './command';

/**
 * `record$` is the log, `output$` the outputs of the calls; both are hot. `cleanRecord` takes the secrets out of a record; only those
 * that are sent pay for it.
 */
export type LogDeps = {
  record$: Observable<LogRecord>;
  cleanRecord: (record: LogRecord) => LogRecord;
  output$: Observable<CallOutput<Caller>>;
};

type LevelCommand = Extract<Command, { kind: 'level' }>;

/** `connection` is the level that a legacy client has set, `calls` those that waiting requests of 2026-07-28 name, by callId. */
type Levels = { connection?: McpLogLevel; calls: ReadonlyMap<string, McpLogLevel> };

const NOTHING: Levels = { calls: new Map() };

/**
 * A client gets the records at the level that it has set and above; a request of 2026-07-28 those that belong to its call.
 * Emits the responses to the commands too. Completes when all sources have.
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
  isAtLeast(record, connection) || isAtLeast(record, calls.get(String(record.fields?.callId)));

const isAtLeast = ({ level }: LogRecord, lowest: McpLogLevel | undefined): boolean =>
  lowest !== undefined && MCP_LOG_LEVELS.indexOf(level) >= MCP_LOG_LEVELS.indexOf(lowest);

/** Source: server/utilities/logging "Log Message Notifications". */
const toLogMessage = ({ level, message, fields }: LogRecord): Notification => ({
  kind: 'notification',
  method: 'notifications/message',
  params: { level, logger: 'codex-rx', data: { message, ...fields } },
});
