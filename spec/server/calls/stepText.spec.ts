import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { stepText } from '../../../src/server/calls/stepText';

const ended = { stdout: '', stderr: '', aggregated_output: '', duration: { secs: 0, nanos: 0 }, formatted_output: '' };

describe('stepText', () => {
  it.each<[EventMsg, string | undefined]>([
    [{ type: 'task_started', model_context_window: null }, 'thinking'],
    [{ type: 'agent_message', message: '  first line\nsecond' }, 'first line'],
    [{ type: 'agent_message', message: 'x'.repeat(200) }, `${'x'.repeat(99)}…`],
    [
      { type: 'exec_approval_request', call_id: 'c', command: ['rm', '-r', '.'], cwd: '/' },
      'waiting for approval: rm -r .',
    ],
    [{ type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '/', parsed_cmd: [] }, 'running: ls'],
    [{ type: 'exec_command_end', call_id: 'c', exit_code: 3, ...ended }, 'exit code 3'],
    [
      {
        type: 'plan_update',
        explanation: null,
        plan: [
          { step: 'one', status: 'completed' },
          { step: 'two', status: 'in_progress' },
        ],
      },
      'two',
    ],
    [{ type: 'plan_update', explanation: null, plan: [] }, 'plan updated'],
    [{ type: 'stream_error', message: 'retrying' }, 'retrying'],
    [{ type: 'agent_message_delta', delta: 'd', item_id: '' }, undefined],
  ])('describes %j: %s', (msg, text) => {
    expect(stepText(msg)).toBe(text);
  });
});
