import { serverRemedy } from '../../../src/cli/doctor/examineServers';

const started = { argv: ['npx', '-y', 's3cret'], cwd: '/w', startTimeoutMs: 10, environmentId: 'local' };
const reached = { ...started, argv: [] };
const BY_HAND = 'run npx with its args in a terminal, in /w';

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
