import { beginCall, callPairer, type EndKinds, endCall, learnEnd } from '../../../src/tapes/import/rolloutCalls';
import type { RolloutItem } from '../../../src/threads/lines/readRolloutLine';

const exec = (more: object) => ({ type: 'exec_command_begin', call_id: 'c', cwd: '', parsed_cmd: [], ...more });
const tool = (server: string, name: string, given: unknown) => ({
  type: 'mcp_tool_call_begin',
  call_id: 'c',
  invocation: { server, tool: name, arguments: given },
});
const patch = (changes: object) => ({ type: 'patch_apply_begin', call_id: 'c', auto_approved: true, changes });
const PATCH = `*** Begin Patch
*** Add File: a
+x
+y
*** Update File: b
*** Move to: c
@@
-1
+2
*** Delete File: d
*** End Patch
`;
const CHANGES = {
  a: { add: { content: 'x\ny\n' } },
  b: { update: { unified_diff: '@@\n-1\n+2', move_path: 'c' } },
  d: { delete: { content: '' } },
};

describe('beginCall', () => {
  it.each<[string, object, object]>([
    [
      'a list of arguments',
      { arguments: '{"command":["ls","-l"],"workdir":"/w"}' },
      exec({ command: ['ls', '-l'], cwd: '/w' }),
    ],
    ['a command line', { arguments: '{"cmd":"ls | wc"}' }, exec({ command: ['bash', '-lc', 'ls | wc'] })],
    ['a local shell', { action: { command: ['pwd'], working_directory: '/w' } }, exec({ command: ['pwd'], cwd: '/w' })],
    ['another tool', { name: 'web', input: 'x' }, tool('codex', 'web', 'x')],
    ['arguments that are not JSON', { name: 'web', arguments: '{' }, tool('codex', 'web', '{')],
    [
      'input for a process',
      { name: 'write_stdin', arguments: '{"session_id":1}' },
      tool('codex', 'write_stdin', { session_id: 1 }),
    ],
    ['a tool of a server', { name: 'mcp__docs__search', arguments: '{"q":1}' }, tool('docs', 'search', { q: 1 })],
    [
      'a tool in the namespace of a server',
      { namespace: 'mcp__docs__', name: 'search', arguments: '{}' },
      tool('docs', 'search', {}),
    ],
    ['a patch as a text', { type: 'custom_tool_call', name: 'apply_patch', input: PATCH }, patch(CHANGES)],
    ['a patch as an argument', { name: 'apply_patch', arguments: JSON.stringify({ input: PATCH }) }, patch(CHANGES)],
    [
      'a patch as a command',
      { name: 'shell', arguments: JSON.stringify({ command: ['apply_patch', PATCH] }) },
      patch(CHANGES),
    ],
    ['a patch that cannot be read', { name: 'apply_patch', input: 'x' }, patch({})],
    [
      'a plan',
      { name: 'update_plan', arguments: '{"plan":[{"step":"a"}]}' },
      { type: 'plan_update', explanation: null, plan: [{ step: 'a' }] },
    ],
    ['a search', { type: 'web_search_call' }, { type: 'web_search_begin', call_id: 'c' }],
  ])('reads %s', (_, item, event) => {
    expect(beginCall({ call_id: 'c', ...item })).toEqual(event);
  });

  it('takes the id of the item where the call has none', () => {
    expect(beginCall({ id: 'i', action: { command: ['pwd'] } })).toMatchObject({ call_id: 'i' });
  });
});

describe('endCall', () => {
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

  it.each<[string, unknown, object]>([
    ['a text', 'hello', endOf('hello', 0)],
    ['an exit code in a text', 'Exit code: 3\nno', endOf('Exit code: 3\nno', 3)],
    ['an output with its metadata', '{"output":"no","metadata":{"exit_code":2}}', endOf('no', 2)],
    ['a list of parts', [{ type: 'input_text', text: 'a' }, { type: 'input_image' }], endOf('a', 0)],
    ['an object with its success', { content: 'no', success: false }, endOf('no', 1)],
    ['an object', { a: 1 }, endOf('{"a":1}', 0)],
    ['nothing', undefined, endOf('""', 0)],
  ])('reads %s', (_, output, event) => {
    expect(endCall(exec({}), output)).toEqual(event);
  });

  it('is of the kind of its begin', () => {
    expect(endCall(patch(CHANGES), 'apply_patch verification failed: no')).toMatchObject({
      type: 'patch_apply_end',
      success: false,
      changes: CHANGES,
    });
    expect(endCall(tool('s', 't', {}), 'r')).toEqual({
      type: 'mcp_tool_call_end',
      call_id: 'c',
      invocation: { server: 's', tool: 't', arguments: {} },
      duration: { secs: 0, nanos: 0 },
      result: { Ok: { content: [{ type: 'text', text: 'r' }], isError: false } },
    });
  });
});

describe('callPairer', () => {
  const call = (name: string, given: object, call_id = 'c'): RolloutItem => ({
    kind: 'call',
    item: { type: 'function_call', name, arguments: JSON.stringify(given), call_id },
  });
  const output = (text: string, call_id = 'c'): RolloutItem => ({ kind: 'output', item: { call_id, output: text } });
  const event = (type: string, more: object = {}): RolloutItem => ({
    kind: 'event',
    msg: { type, call_id: 'c', ...more },
  });
  const drawn = (...items: RolloutItem[]) => {
    const kinds: EndKinds = new Map();
    for (const item of items) learnEnd(kinds, item);
    const paired = items.map((item) => ({ ...item, ms: 1 })).flatMap(callPairer(kinds));
    return paired.map((item) =>
      item.kind === 'event' ? `${item.msg.type} ${item.msg.call_id ?? ''}`.trim() : item.kind,
    );
  };

  it.each<[string, RolloutItem[], string[]]>([
    [
      'a call and its output',
      [call('shell', { command: 'ls' }), output('a')],
      ['exec_command_begin c', 'exec_command_end c'],
    ],
    ['a plan, which has no end', [call('update_plan', { plan: [] }), output('Plan updated')], ['plan_update']],
    ['an output without a call', [output('a')], []],
    [
      'an end that is an event too',
      [call('shell', { command: 'ls' }), event('exec_command_end', { exit_code: 3 }), output('a')],
      ['exec_command_begin c', 'exec_command_end c'],
    ],
    [
      'a command that was a patch',
      [call('exec_command', { cmd: "apply_patch <<'E'" }), event('patch_apply_end', { changes: {} }), output('a')],
      ['patch_apply_begin c', 'patch_apply_end c'],
    ],
    [
      'events of both ends',
      [call('shell', { command: 'ls' }), event('exec_command_begin'), event('exec_command_end'), output('a')],
      ['exec_command_begin c', 'exec_command_end c'],
    ],
    [
      'a search',
      [{ kind: 'call', item: { type: 'web_search_call', id: 'w', action: { query: 'q' } } }],
      ['web_search_begin w', 'web_search_end w'],
    ],
    [
      'searches without ids',
      ['q', 'r'].map((query) => ({ kind: 'call', item: { type: 'web_search_call', action: { query } } })),
      ['web_search_begin search-1', 'web_search_end search-1', 'web_search_begin search-2', 'web_search_end search-2'],
    ],
    [
      'a search that is an event too, and then has no id',
      [event('web_search_end', { query: 'q' }), { kind: 'call', item: { type: 'web_search_call', action: {} } }],
      ['web_search_begin c', 'web_search_end c'],
    ],
    [
      'a command whose first output came before its end',
      [call('exec_command', { cmd: 'ls' }), output('still running'), event('token_count'), event('exec_command_end')],
      ['exec_command_begin c', 'token_count c', 'exec_command_end c'],
    ],
    [
      'two calls at once',
      [call('shell', { command: 'a' }), call('x', {}, 'd'), output('1', 'd'), output('2')],
      ['exec_command_begin c', 'mcp_tool_call_begin d', 'mcp_tool_call_end d', 'exec_command_end c'],
    ],
    [
      'prompts and other events',
      [
        { kind: 'prompt', text: 'p' },
        { kind: 'event', msg: { type: 'token_count' } },
      ],
      ['prompt', 'token_count'],
    ],
  ])('has one begin and one end of %s', (_, items, expected) => {
    expect(drawn(...items)).toEqual(expected);
  });
});
