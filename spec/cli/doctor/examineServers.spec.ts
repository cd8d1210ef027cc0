import { of, throwError } from 'rxjs';
import type { ToolServer, ToolServerSpec } from '../../../src/agent/toolServers/toolServer';
import { examineServers, serverRemedy } from '../../../src/cli/doctor/examineServers';
import { marbles } from '../../support/marbles';

const spec: ToolServerSpec = {
  argv: ['x'],
  cwd: '/w',
  env: {},
  environmentId: 'local',
  httpHeaders: {},
  envHttpHeaders: {},
  startTimeoutMs: 10_000,
  toolTimeoutMs: 1,
  disabledTools: [],
};

const tool = (name: string) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  isReadOnly: false,
});

const server: ToolServer = { tools: [tool('a'), tool('b')], call: () => of() };

const found = (one: Partial<ToolServerSpec>, open: () => ReturnType<Deps['open']>, env: Deps['env'] = {}) => {
  const seen: object[] = [];
  examineServers({ open, env, now: () => 0 }, { s: { ...spec, ...one } }).subscribe((result) => seen.push(result));
  return seen;
};

type Deps = Parameters<typeof examineServers>[0];

const started = { argv: ['npx', '-y', 's3cret'], cwd: '/w', startTimeoutMs: 10, environmentId: 'local' };

const reached = { ...started, argv: [] };

const IN_ENV = '; if it works there, name the variables that it needs in env_vars';
const BY_HAND = `run npx with its args in a terminal, in /w${IN_ENV}`;

describe('examineServers', () => {
  it('examines them beside each other, names their tools in order, and ends each after its tools', () =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const late$ = cold<ToolServer>('  ---s--', { s: server });
      const failed$ = cold<ToolServer>('-#', undefined, new Error('it did not answer within 10 s'));
      const all = { late: late$, dead: failed$ };
      const result$ = examineServers(
        { open: (name) => all[name as keyof typeof all], env: {}, now: () => 0 },
        { late: spec, dead: spec },
      );
      const L = { text: 'late answers with 2 tools', ms: 0 };
      const remedy = `raise startup_timeout_sec of mcp_servers.dead if it needs longer, or run x with its args in a terminal, in /w${IN_ENV}`;
      const D = { state: 'fault', text: 'dead: it did not answer within 10 s', ms: 0, remedy };
      expectObservable(result$).toBe('---(LD|)', { L, D });
      expectSubscriptions((late$ as ReturnType<typeof cold>).subscriptions).toBe('^--!');
    })());

  it('emits nothing if there are no servers', () => {
    const seen: unknown[] = [];
    examineServers({ open: () => of(server), env: {}, now: () => 0 }, {}).subscribe((one) => seen.push(one));
    expect(seen).toEqual([]);
  });

  it.each<[string, Partial<ToolServerSpec>, object]>([
    ['tools that are left out', { enabledTools: ['a'] }, { text: 's answers with 2 tools, 1 of them offered' }],
    [
      'that no tool is offered',
      { disabledTools: ['a', 'b'] },
      { state: 'warning', remedy: 'see enabled_tools and disabled_tools of mcp_servers.s' },
    ],
    [
      'a header whose variable is not set',
      { argv: [], url: 'https://x', envHttpHeaders: { 'X-Key': 'NOT_SET' } },
      { state: 'warning', remedy: 'set NOT_SET, which env_http_headers names' },
    ],
  ])('names %s', (_, one, expected) => {
    expect(found(one, () => of(server))).toMatchObject([expected]);
  });

  it('names the tools whose schema cannot be written for a model', () => {
    const odd = { ...tool('odd'), parameters: undefined };
    const open = () => of({ ...server, tools: [tool('a'), odd] });
    const remedy =
      'the input schema of odd cannot be written for a model: its maker can mend it; disabled_tools of mcp_servers.s hides this';
    expect(found({}, open)).toMatchObject([
      { state: 'warning', text: 's answers with 2 tools, 1 of them offered', remedy },
    ]);
    expect(found({ disabledTools: ['odd'] }, open)).toEqual([
      { text: 's answers with 2 tools, 1 of them offered', ms: 0 },
    ]);
  });

  it('waits half a minute at most', () => {
    let limit = 0;
    const open: Deps['open'] = (_, { startTimeoutMs }) => {
      limit = startTimeoutMs;
      return throwError(() => new Error('it did not answer within 30 s'));
    };
    const seen: object[] = [];
    examineServers({ open, env: {}, now: () => 0 }, { s: { ...spec, startTimeoutMs: 600_000 } }).subscribe((one) =>
      seen.push(one),
    );
    expect(limit).toBe(30_000);
    expect(seen).toMatchObject([{ state: 'warning' }]);
  });

  it('is a finding if a server cannot be addressed', () => {
    const open = () => {
      throw new Error('its url is no address');
    };
    expect(found({ argv: [] }, open)).toMatchObject([{ state: 'fault', text: 's: its url is no address' }]);
  });

  it.each<[string, Partial<ToolServerSpec>]>([
    ['a variable', { env: { API_KEY: 'hunter2-hunter2' } }],
    ['an argument', { argv: ['s', '--api-key', 'hunter2-hunter2'] }],
    ['a header', { argv: [], httpHeaders: { Authorization: 'Bearer hunter2-hunter2' } }],
    ['a header of the environment', { argv: [], envHttpHeaders: { Authorization: 'TOKEN' } }],
    ['a token', { argv: [], bearerTokenEnvVar: 'TOKEN' }],
    ['an address', { argv: [], url: 'https://u:hunter2-hunter2@x/' }],
  ])('shows no secret of %s that comes back', (_, one) => {
    const open = () => throwError(() => new Error('refused hunter2-hunter2'));
    const [result] = found(one, open, { TOKEN: 'Bearer hunter2-hunter2' });
    expect(JSON.stringify(result)).toContain('refused');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('serverRemedy', () => {
  it.each([
    [
      'the MCP server s could not be run: npx: No such file or directory (os error 2).',
      'the command npx is not there',
      'install it, put its folder into PATH, or give its absolute path in mcp_servers.s',
    ],
    [
      'the MCP server s could not be run: npx: Permission denied (os error 13).',
      'npx may not be run',
      'make the file executable',
    ],
    [
      'the MCP server s could not be run: working directory /nix: No such file or directory (os error 2).',
      'working directory /nix: No such file or directory (os error 2)',
      'create that folder, or change cwd of mcp_servers.s',
    ],
    ['the MCP server s ended with exit code 3.\nboom', 'ended with exit code 3.\nboom', BY_HAND],
    [
      'it did not answer within 2 s',
      'it did not answer within 2 s',
      `raise startup_timeout_sec of mcp_servers.s if it needs longer, or ${BY_HAND}`,
    ],
    [
      'it did not answer within 2 s. It wrote "up" to stdout, which is for messages alone; make it log to stderr',
      'it did not answer within 2 s. It wrote "up" to stdout, which is for messages alone',
      'make it log to stderr',
    ],
    [
      'it is codex-rx itself, which cannot be a tool of its own',
      'it is codex-rx itself, which cannot be a tool of its own',
      'remove mcp_servers.s',
    ],
  ])('of a command: %j', (reason, text, remedy) => {
    expect(serverRemedy({ name: 's', spec: started, reason })).toEqual({ text, remedy });
  });

  it('of a command with its arguments in one text', () => {
    const spec = { ...started, argv: ['npx -y s'] };
    const reason = 'the MCP server s could not be run: npx -y s: No such file or directory (os error 2).';
    expect(serverRemedy({ name: 's', spec, reason })).toEqual({
      text: 'the command npx -y s is not there',
      remedy: 'command of mcp_servers.s is the program alone: its arguments belong in args, as a list',
    });
  });

  it.each([
    [
      'the MCP server s could not be run: http://x cannot be reached: E; is the server running?.',
      'http://x cannot be reached: E',
      'is the server running?',
    ],
    [
      'the MCP server s could not be run: HTTP 500 of http://x.',
      'HTTP 500 of http://x',
      'the log of that server has the reason',
    ],
    [
      'the MCP server s could not be run: http://x is not an MCP server: it answers HTTP 404.',
      'http://x is not an MCP server: it answers HTTP 404',
      'see the path of its url',
    ],
    ['its url is no address', 'its url is no address', 'see mcp_servers.s'],
    [
      'the variable T, which bearer_token_env_var names, is not set',
      'the variable T, which bearer_token_env_var names, is not set',
      'set it where codex-rx starts',
    ],
    [
      'it did not answer within 2 s',
      'it did not answer within 2 s',
      'raise startup_timeout_sec of mcp_servers.s if it needs longer',
    ],
  ])('of a url: %j', (reason, text, remedy) => {
    expect(serverRemedy({ name: 's', spec: reached, reason })).toEqual({ text, remedy });
  });

  it.each([
    [
      'the MCP server s could not be run: ws://x: nobody listens there.',
      'ws://x: nobody listens there',
      'see the environment box, which environment_id of mcp_servers.s names',
    ],
    [
      'no executor answers',
      'no executor answers',
      'see the environment box, which environment_id of mcp_servers.s names',
    ],
    ['the MCP server s ended with exit code 3.', 'ended with exit code 3', `${BY_HAND.replace(',', ' of box,')}`],
  ])('of a command on another machine: %j', (reason, text, remedy) => {
    expect(serverRemedy({ name: 's', spec: { ...started, environmentId: 'box' }, reason })).toEqual({ text, remedy });
  });
});
