import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { toInput } from '../../../src/protocol/codex/input';
import type { TurnOp } from '../../../src/protocol/codex/operations';
import { logEvents, toRecord } from '../../../src/server/calls/runCalls';
import { marbles } from '../../support/marbles';
import { aborted, complete, delta, request, started, THREAD, turnEventOf } from '../../support/mcp';

const op: TurnOp = {
  kind: 'turn',
  callId: 'c',
  eventId: '1',
  thread: { newest: true },
  input: toInput('secret'),
  askable: true,
};
const says = (msg: EventMsg): Event => turnEventOf(op, msg);

describe('logEvents', () => {
  it(
    'passes every event and logs those that matter under their call',
    marbles(({ hot, expectObservable, flush }) => {
      const log = jest.fn();
      const values = { s: says(started), d: says(delta('text')), z: says(complete('text')) };
      const event$ = hot('  s-d-z-|', values);
      const expected = '    s-d-z-|';
      expectObservable(event$.pipe(logEvents(log))).toBe(expected, values);
      flush();
      expect(log.mock.calls).toEqual([
        ['info', 'a turn started', { callId: 'c', threadId: THREAD }],
        ['info', 'a turn ended', { callId: 'c', threadId: THREAD, as: 'task_complete' }],
      ]);
    }),
  );
});

describe('toRecord', () => {
  const end = {
    stdout: 'out',
    stderr: '',
    aggregated_output: '',
    duration: { secs: 0, nanos: 0 },
    formatted_output: '',
  };

  it.each<[Event, unknown]>([
    [
      { kind: 'rejected', callId: 'c', message: 'why' },
      { level: 'warning', message: 'a call was rejected', fields: { reason: 'why' } },
    ],
    [
      { kind: 'declined', callId: 'c', what: '`rm`', reason: 'late' },
      { level: 'notice', message: 'not done', fields: { what: '`rm`', reason: 'late' } },
    ],
    [says(request), { level: 'info', message: 'approval requested', fields: { command: "touch 'a b'", cwd: '/work' } }],
    [
      says({ type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '/', parsed_cmd: [] }),
      { level: 'info', message: 'a command started', fields: { command: 'ls', cwd: '/' } },
    ],
    [
      says({ type: 'exec_command_end', call_id: 'c', exit_code: 2, ...end }),
      { level: 'info', message: 'a command ended', fields: { exitCode: 2 } },
    ],
    [
      says({ type: 'stream_error', message: 'cut' }),
      { level: 'warning', message: 'the connection to the model was lost', fields: { reason: 'cut' } },
    ],
    [
      says({ type: 'warning', message: 'no tools' }),
      {
        level: 'warning',
        message: 'a turn goes on with a warning',
        fields: { threadId: THREAD, reason: 'no tools' },
      },
    ],
    [
      says({ type: 'error', message: 'down' }),
      { level: 'error', message: 'a turn failed', fields: { threadId: THREAD, reason: 'down' } },
    ],
    [says(aborted), { level: 'info', message: 'a turn ended', fields: { threadId: THREAD, as: 'turn_aborted' } }],
    [says({ type: 'agent_message', message: 'text' }), undefined],
  ])('logs of %j what happened and no text of the conversation', (event, record) => {
    expect(toRecord(event)).toEqual(record);
  });
});
