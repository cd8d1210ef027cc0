/** The log records of the calls. Prompts and answers never go to the log. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { Log, LogRecord } from '../../protocol/log';
import { joinWords } from '../../streams/text/joinWords';

/** Logs the joints of each call; passes every event as it is. */
export const logEvents =
  (log: Log): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    event$.pipe(
      tap((event) => {
        const record = toRecord(event);
        if (record) log(record.level, record.message, { callId: event.callId, ...record.fields });
      }),
    );

/** The record of an event, or undefined where it is too small for one. */
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
    case 'deltas':
    case 'sampling':
    case 'done':
    case 'joined':
      return undefined;
    case 'event':
      return toEventRecord(event);
  }
};

const toEventRecord = ({ msg, threadId }: CodexEvent): LogRecord | undefined => {
  switch (msg.type) {
    case 'task_started':
      return { level: 'info', message: 'a turn started', fields: { threadId } };
    case 'stream_error':
      return { level: 'warning', message: 'the connection to the model was lost', fields: { reason: msg.message } };
    case 'warning':
      return { level: 'warning', message: 'a turn goes on with a warning', fields: { threadId, reason: msg.message } };
    case 'error':
      return { level: 'error', message: 'a turn failed', fields: { threadId, reason: msg.message } };
    case 'task_complete':
    case 'turn_aborted':
      return { level: 'info', message: 'a turn ended', fields: { threadId, as: msg.type } };
    default:
      return toCommandRecord(msg);
  }
};

const toCommandRecord = (msg: EventMsg): LogRecord | undefined => {
  switch (msg.type) {
    case 'exec_approval_request':
      return {
        level: 'info',
        message: 'approval requested',
        fields: { command: joinWords(msg.command), cwd: msg.cwd },
      };
    case 'exec_command_begin':
      return {
        level: 'info',
        message: 'a command started',
        fields: { command: joinWords(msg.command), cwd: msg.cwd },
      };
    case 'exec_command_end':
      return { level: 'info', message: 'a command ended', fields: { exitCode: msg.exit_code } };
    default:
      return undefined;
  }
};
