import type { ResponseItem } from '../../src/protocol/model/items';
import { atOnce } from '../../src/streams/pausing';
import { toThreadTexts } from '../../src/threads/transcript';

const message = (role: string, text: string): ResponseItem => ({
  type: 'message',
  role,
  content: [role === 'user' ? { type: 'input_text', text } : { type: 'output_text', text }],
});

const patch = '*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch';

const items: ResponseItem[] = [
  message('user', '<environment_context>not shown</environment_context>'),
  message('user', 'make a file'),
  message('assistant', 'I shall.'),
  {
    type: 'function_call',
    name: 'shell',
    arguments: JSON.stringify({ command: ['apply_patch', patch] }),
    call_id: 'c',
  },
  { type: 'function_call_output', call_id: 'c', output: JSON.stringify({ output: 'done ```' }) },
  { type: 'custom_tool_call', name: 'apply_patch', input: patch, call_id: 'd' },
  message('assistant', 'It is made.'),
];

describe('toThreadTexts', () => {
  const { transcript, answer, diff } = atOnce(toThreadTexts({ id: 'T', items }));

  it('shows the conversation as Markdown, without what no person wrote', () => {
    expect(transcript.split('\n\n').slice(0, 5)).toEqual([
      '# Thread T',
      '## User',
      'make a file',
      '## Agent',
      'I shall.',
    ]);
    expect(transcript).not.toContain('not shown');
  });

  it('fences an output so that none of its lines ends the block', () => {
    expect(transcript).toContain('````\ndone ```\n````');
  });

  it('has the last answer, and all patches', () => {
    expect(answer).toBe('It is made.');
    expect(diff).toBe(`${patch}\n\n${patch}\n`);
  });

  it('is empty for an empty thread, but for its name', () => {
    expect(atOnce(toThreadTexts({ id: 'T', items: [] }))).toEqual({ transcript: '# Thread T\n', answer: '', diff: '' });
  });
});

it('reads whatever a call has in the place of a text', () => {
  const given: ResponseItem = { type: 'function_call', name: 'x', arguments: '{"a":{"toString":1}}', call_id: 'c' };
  expect(() => atOnce(toThreadTexts({ id: 'T', items: [given] }))).not.toThrow();
});
