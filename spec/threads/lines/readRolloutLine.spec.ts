import fc from 'fast-check';
import { parseLines, type RolloutItem, readRolloutLine } from '../../../src/threads/lines/readRolloutLine';

const message = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});

const call = { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["ls"]}' };

const output = { type: 'function_call_output', call_id: 'c', output: 'a' };

const done = { type: 'agent_message', message: 'Done.' };

describe('readRolloutLine', () => {
  it('reads whatever is in the place of a text', () => {
    const odd = { toString: 1 };
    const [line] = parseLines(JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: odd } }));
    expect(line && readRolloutLine(line)).toEqual([{ kind: 'prompt', text: '{"toString":1}' }]);
  });

  it.each<[string, object, RolloutItem[] | undefined]>([
    ['a message of the user', message('user', 'a', 'b'), [{ kind: 'prompt', text: 'ab' }]],
    ['a message that Codex wrote for the user', message('user', '<environment_context>'), []],
    ['a message of the agent', message('assistant', 'Done.'), [{ kind: 'event', msg: done }]],
    ['a message of the developer', message('developer', 'x'), []],
    [
      'reasoning',
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      [{ kind: 'event', msg: { type: 'agent_reasoning', text: 'hm' } }],
    ],
    ['a call', call, [{ kind: 'call', item: call }]],
    ['an output', output, [{ kind: 'output', item: output }]],
    ['a line of state', { record_type: 'state' }, []],
    ['an unknown item', { type: 'moon' }, undefined],
    ['an object without a type', { a: 1 }, undefined],
  ])('reads %s of 0.28.0', (_, line, items) => {
    expect(readRolloutLine(line as never)).toEqual(items);
  });

  it.each<[string, string, object, RolloutItem[] | undefined]>([
    ['a message of the user', 'event_msg', { type: 'user_message', message: 'hi' }, [{ kind: 'prompt', text: 'hi' }]],
    ['an event', 'event_msg', done, [{ kind: 'event', msg: done }]],
    ['any other event', 'event_msg', { type: 'moon' }, [{ kind: 'event', msg: { type: 'moon' } }]],
    ['a message that is an event as well', 'response_item', message('assistant', 'Done.'), []],
    ['a call', 'response_item', call, [{ kind: 'call', item: call }]],
    ['the settings of a turn', 'turn_context', { cwd: '/' }, [{ kind: 'turnContext', context: { cwd: '/' } }]],
    ['a compacted history', 'compacted', {}, []],
    ['an unknown payload', 'moon', {}, undefined],
  ])('reads %s of 0.142.0', (_, type, payload, items) => {
    expect(readRolloutLine({ type, payload } as never)).toEqual(items);
  });

  it.each<[string, object, RolloutItem[]]>([
    ['a message of the user', { type: 'UserMessage', content: [{ text: 'hi' }] }, [{ kind: 'prompt', text: 'hi' }]],
    ['a message of the agent', { type: 'AgentMessage', content: [{ text: 'Done.' }] }, [{ kind: 'event', msg: done }]],
    [
      'reasoning',
      { type: 'Reasoning', summary_text: ['hm'] },
      [{ kind: 'event', msg: { type: 'agent_reasoning', text: 'hm' } }],
    ],
    [
      'a patch',
      { type: 'FileChange', id: 'c', changes: { '/a': {} }, status: 'failed' },
      [
        {
          kind: 'event',
          msg: { type: 'patch_apply_end', call_id: 'c', stdout: '', stderr: '', success: false, changes: { '/a': {} } },
        },
      ],
    ],
    [
      'a search',
      { type: 'WebSearch', id: 'w', query: 'q' },
      [{ kind: 'event', msg: { type: 'web_search_end', call_id: 'w', query: 'q' } }],
    ],
    [
      'a shortened conversation',
      { type: 'ContextCompaction', id: 'x' },
      [{ kind: 'event', msg: { type: 'context_compacted' } }],
    ],
    [
      'a command',
      { type: 'CommandExecution', id: 'c', command: ['ls'], cwd: 'file:///a%20b', stdout: 'x', exit_code: 3 },
      [
        {
          kind: 'event',
          msg: { type: 'exec_command_end', call_id: 'c', command: ['ls'], cwd: '/a b', stdout: 'x', exit_code: 3 },
        },
      ],
    ],
    [
      'a call of a tool that failed',
      { type: 'McpToolCall', id: 'm', server: 's', tool: 't', arguments: { a: 1 }, error: { message: 'no' } },
      [
        {
          kind: 'event',
          msg: {
            type: 'mcp_tool_call_end',
            call_id: 'm',
            invocation: { server: 's', tool: 't', arguments: { a: 1 } },
            duration: { secs: 0, nanos: 0 },
            result: { Err: 'no' },
          },
        },
      ],
    ],
    ['another item', { type: 'Moon' }, [{ kind: 'event', msg: { type: 'item_completed', item: { type: 'Moon' } } }]],
  ])('reads %s of 0.169.0', (_, item, items) => {
    const payload = { type: 'item_completed', item };
    expect(readRolloutLine({ type: 'event_msg', payload } as never)).toEqual(items);
  });

  it('reads any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'payload', 'role', 'content', 'arguments'), fc.jsonValue()),
        (line) => {
          expect(Array.isArray(readRolloutLine(line) ?? [])).toBe(true);
        },
      ),
    );
  });
});

describe('parseLines', () => {
  it.each([
    ['no text            ', '', []],
    ['one line           ', '{"a":1}\n', [{ a: 1 }]],
    ['a last line cut off', '{"a":1}\n{"b":', [{ a: 1 }]],
    ['what is not an object  ', '1\n[2]\nnull\n{"a":1}', [{ a: 1 }]],
    ['empty lines        ', '\n{"a":1}\n\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
  ])('reads %s', (_, text, objects) => {
    expect(parseLines(text)).toEqual(objects);
  });

  it('reads back any objects, and leaves out a line that is cut anywhere', () => {
    const object = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(fc.array(object), object, fc.nat(), (objects, last, at) => {
        const text = objects.map((one) => `${JSON.stringify(one)}\n`).join('');
        const cut = JSON.stringify(last);
        const read = JSON.stringify(parseLines(text + cut.slice(0, at % cut.length)));
        expect(read).toBe(JSON.stringify(objects));
      }),
    );
  });
});
