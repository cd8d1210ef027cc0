import fc from 'fast-check';
import {
  beginCall,
  endCall,
  parseLines,
  type RolloutItem,
  readRolloutLine,
} from '../../../src/threads/lines/readRolloutLine';

const message = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});

const call = { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["ls"]}' };

const begin = { type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '', parsed_cmd: [] };

const done = { type: 'agent_message', message: 'Done.' };

describe('readRolloutLine', () => {
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
    ['a call', call, [{ kind: 'event', msg: begin }]],
    ['a line of state', { record_type: 'state' }, []],
    ['an unknown item', { type: 'moon' }, undefined],
    ['an object without a type', { a: 1 }, undefined],
  ])('reads %s of 0.28.0', (_, line, items) => {
    expect(readRolloutLine(line as never)).toEqual(items);
  });

  it.each<[string, string, object, RolloutItem[] | undefined]>([
    ['a message of the user', 'event_msg', { type: 'user_message', message: 'hi' }, [{ kind: 'prompt', text: 'hi' }]],
    ['an event', 'event_msg', done, [{ kind: 'event', msg: done }]],
    ['an event that clients do not know', 'event_msg', { type: 'moon' }, []],
    ['a message that is an event as well', 'response_item', message('assistant', 'Done.'), []],
    ['a call', 'response_item', call, [{ kind: 'event', msg: begin }]],
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
    ['another item', { type: 'Moon' }, []],
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

const beginOf = (more: object) => ({ type: 'exec_command_begin', call_id: 'c', cwd: '', parsed_cmd: [], ...more });

const endOf = (text: string, exit_code: number) => ({
  type: 'exec_command_end',
  call_id: 'c',
  stdout: text,
  stderr: '',
  aggregated_output: text,
  exit_code,
  duration: { secs: 0, nanos: 0 },
  formatted_output: text,
});

describe('beginCall', () => {
  it.each<[string, object, object]>([
    [
      'a list of arguments',
      { arguments: '{"command":["ls","-l"],"workdir":"/w"}' },
      beginOf({ command: ['ls', '-l'], cwd: '/w' }),
    ],
    ['a command line', { arguments: '{"cmd":"ls | wc"}' }, beginOf({ command: ['bash', '-lc', 'ls | wc'] })],
    ['a local shell', { action: { command: ['pwd'] } }, beginOf({ command: ['pwd'] })],
    [
      'another tool',
      { name: 'web', input: 'x' },
      { type: 'mcp_tool_call_begin', call_id: 'c', invocation: { server: 'codex', tool: 'web', arguments: 'x' } },
    ],
    [
      'arguments that are not JSON',
      { name: 'web', arguments: '{' },
      { type: 'mcp_tool_call_begin', call_id: 'c', invocation: { server: 'codex', tool: 'web', arguments: '{' } },
    ],
  ])('reads %s', (_, item, event) => {
    expect(beginCall({ call_id: 'c', ...item })).toEqual(event);
  });

  it('takes the id of the item where the call has none', () => {
    expect(beginCall({ id: 'i', action: { command: ['pwd'] } })).toMatchObject({ call_id: 'i' });
  });
});

describe('endCall', () => {
  it.each<[string, unknown, object]>([
    ['a text', 'hello', endOf('hello', 0)],
    ['an exit code in a text', 'Exit code: 3\nno', endOf('Exit code: 3\nno', 3)],
    ['an output with its metadata', '{"output":"no","metadata":{"exit_code":2}}', endOf('no', 2)],
    ['an object', { a: 1 }, endOf('{"a":1}', 0)],
    ['nothing', undefined, endOf('""', 0)],
  ])('reads %s', (_, output, event) => {
    expect(endCall({ call_id: 'c', output })).toEqual(event);
  });
});
