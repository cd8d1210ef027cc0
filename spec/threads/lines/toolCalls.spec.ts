import { beginCall, endCall } from '../../../src/threads/lines/readRolloutLine';

const begin = (more: object) => ({ type: 'exec_command_begin', call_id: 'c', cwd: '', parsed_cmd: [], ...more });
const end = (text: string, exit_code: number) => ({
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
      begin({ command: ['ls', '-l'], cwd: '/w' }),
    ],
    ['a command line', { arguments: '{"cmd":"ls | wc"}' }, begin({ command: ['bash', '-lc', 'ls | wc'] })],
    ['a local shell', { action: { command: ['pwd'] } }, begin({ command: ['pwd'] })],
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
    ['a text', 'hello', end('hello', 0)],
    ['an exit code in a text', 'Exit code: 3\nno', end('Exit code: 3\nno', 3)],
    ['an output with its metadata', '{"output":"no","metadata":{"exit_code":2}}', end('no', 2)],
    ['an object', { a: 1 }, end('{"a":1}', 0)],
    ['nothing', undefined, end('""', 0)],
  ])('reads %s', (_, output, event) => {
    expect(endCall({ call_id: 'c', output })).toEqual(event);
  });
});
