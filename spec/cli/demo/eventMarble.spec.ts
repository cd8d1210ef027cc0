import { eventMarble } from '../../../src/cli/demo/toMarks';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('eventMarble', () => {
  it.each([
    [
      { type: 'session_configured', model: 'm', model_provider_id: 'p' },
      { symbol: 'S', text: 'm of p' },
    ],
    [{ type: 'task_started' }, { symbol: 'B', text: '' }],
    [
      { type: 'agent_message_delta', delta: 'a' },
      { symbol: 'D', text: '', delta: 'a' },
    ],
    [
      { type: 'exec_approval_request', command: ['ls', '-l'] },
      { symbol: 'A', text: 'ls -l' },
    ],
    [
      { type: 'exec_command_begin', command: 'ls' },
      { symbol: 'X', text: 'ls' },
    ],
    [
      { type: 'exec_command_output_delta', chunk: base64('ü') },
      { symbol: 'O', text: '', delta: 'ü' },
    ],
    [
      { type: 'exec_command_end', exit_code: 3 },
      { symbol: 'E', text: 'exit code 3' },
    ],
    [
      { type: 'token_count', input_tokens: 1, output_tokens: 2 },
      { symbol: 'U', text: '1 in, 2 out' },
    ],
    [{ type: 'task_complete' }, { symbol: 'Z', text: '' }],
    [
      { type: 'turn_aborted', reason: 'interrupted' },
      { symbol: 'K', text: 'interrupted' },
    ],
    [
      { type: 'error', message: 'a\u001b[2Jb' },
      { symbol: 'F', text: expect.not.stringContaining('\u001b') },
    ],
    [{ type: 'new_event' }, { symbol: 'V', text: '' }],
    [{ type: 'toString' }, { symbol: 'V', text: '' }],
  ])('draws %j', (msg, expected) => {
    expect(eventMarble(msg)).toEqual({ ...expected, name: msg.type });
  });

  it('quotes a message', () => {
    expect(eventMarble({ type: 'agent_message', message: 'hi' })).toMatchObject({ symbol: 'M', text: '"hi"' });
  });
});
