import { record } from '../../../src/cli/commands/record';
import { givenBy, problemBy } from '../reading';

describe('record', () => {
  it('takes the command after --, with its options', () => {
    expect(givenBy(record, '-q', '-o', 't.jsonl', '--', 'server', '-o', 'x')).toEqual({
      out: 't.jsonl',
      redact: false,
      faults: undefined,
      'client-faults': undefined,
      seed: 1,
      quiet: true,
      http: undefined,
      'allow-host': [],
      command: ['server', '-o', 'x'],
    });
  });

  it.each([
    [[], 'There is no server to run: write its command after --'],
    [['--'], 'There is no server to run: write its command after --'],
    [['server'], 'server is one word too many; a command, with its options, goes after --'],
    [['--out', '--', 'x'], '--out needs a value'],
    [['--http', '3001', '--', 'x'], '--http records a server behind a URL: write http://HOST/PATH after --'],
    [
      ['--http', '3001', '--', 'http://x/mcp', 'y'],
      '--http records a server behind a URL: write http://HOST/PATH after --',
    ],
    [['--', 'http://x/mcp'], 'http://x/mcp is a server over HTTP: name the port for its clients, as by --http 3001'],
    [
      ['--faults', '-y', '--', 'x'],
      '--faults -y cannot be read; write signs as in ---x-2s-D, and a * at the end to start over',
    ],
    [
      ['--http', '3001', '--client-faults', '-x', '--', 'http://x/mcp'],
      '--client-faults goes without --http; record a bridge to stdio, such as mcp-remote http://x/mcp',
    ],
    [
      ['--http', '3001', '--faults', '-#', '--', 'http://x/mcp'],
      '# and | go without --http; record a bridge to stdio, such as mcp-remote http://x/mcp',
    ],
    [['--allow-host', 'a', '--', 'x'], '--allow-host goes with --http'],
    [
      ['--http', 'x:y', '--', 'http://x'],
      '--http x:y is not an address; write a port, as 3001, or IP:PORT, as 127.0.0.1:3001',
    ],
    [
      ['--http', '0.0.0.0:3001', '--', 'http://x'],
      'Other machines can reach 0.0.0.0; name the hosts that clients may address by --allow-host HOST, or listen at 127.0.0.1',
    ],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(record, ...argv)).toBe(problem);
  });
});
