import { findCommand } from '../../src/cli/main';

describe('findCommand', () => {
  it.each<[string[], string, string[]]>([
    [[], 'mcp-server', []],
    [['mcp-server'], 'mcp-server', []],
    [['mcp'], 'mcp-server', []],
    [['mcp', 'login', 'docs'], 'mcp', ['login', 'docs']],
    [['mcp', 'list'], 'mcp', ['list']],
    [['mcp', '--help'], 'mcp', ['--help']],
    [['mcp', '-h'], 'mcp', ['-h']],
    [['mcp', '-m', 'gpt-5'], 'mcp-server', ['-m', 'gpt-5']],
    [['-c', 'a=1', 'mcp', 'logout', 'docs'], 'mcp', ['-c', 'a=1', 'logout', 'docs']],
    [['-m', 'gpt-5', '--events', 'none'], 'mcp-server', ['-m', 'gpt-5', '--events', 'none']],
    [['-a', 'never', 'mcp-server', '-m', 'x'], 'mcp-server', ['-a', 'never', '-m', 'x']],
    [['--oss', '--sandbox=read-only', 'mcp'], 'mcp-server', ['--oss', '--sandbox=read-only']],
    [['-m', 'demo'], 'mcp-server', ['-m', 'demo']],
    [['replay', 'demo', '--', 'diff'], 'replay', ['demo', '--', 'diff']],
    [['--', 'demo'], 'mcp-server', ['--', 'demo']],
    [['--json', 'stats', 'f'], 'stats', ['--json', 'f']],
    [['--fcae', 'x'], 'mcp-server', ['--fcae', 'x']],
    [['--help'], 'mcp-server', ['--help']],
    [['help'], 'mcp-server', ['--help']],
    [['help', 'replay'], 'replay', ['--help']],
    [['version'], 'mcp-server', ['--version']],
    [['--mode', 'a'], 'mcp-server', ['--mode', 'a']],
  ])('takes %j as %s', (argv, name, rest) => {
    expect(findCommand(argv)).toEqual({ name, rest });
  });

  it.each([
    [['mcp-sever'], 'mcp-sever is not a command; did you mean mcp-server?'],
    [['sessions'], 'sessions is not a command; did you mean threads?'],
    [['serve', '-m', 'x'], 'serve is not a command; did you mean mcp-server?'],
    [['exec', 'x'], 'exec is a command of the Codex CLI: run codex exec; codex-rx is its mcp-server'],
    [['app-server'], 'app-server is a command of the Codex CLI: run codex app-server; codex-rx is its mcp-server'],
    [['-m', 'x', 'exec', 'hi'], 'exec is a command of the Codex CLI: run codex exec; codex-rx is its mcp-server'],
    [['e', 'hi'], 'e is a command of the Codex CLI: run codex e; codex-rx is its mcp-server'],
    [['proto'], 'proto is a command of the Codex CLI: run codex proto; codex-rx is its mcp-server'],
    [['help', 'exec'], 'exec is a command of the Codex CLI: run codex exec; codex-rx is its mcp-server'],
    [['fix the bug'], 'a prompt needs a command: codex-rx run PROMPT'],
    [['fix', 'the', 'bug'], 'fix is not a command; a prompt needs one: codex-rx run PROMPT'],
    [['zzz'], 'zzz is not a command'],
    [['zzz', '--json'], 'zzz is not a command'],
    [['toString'], 'toString is not a command'],
    [['mcp', 'logn'], 'logn is not an action of mcp; there are list, login, logout'],
    [['mcp', 'add', 'x'], 'mcp_servers is not changed here: run codex mcp add, or edit mcp_servers in config.toml'],
  ])('refuses %j', (argv, problem) => {
    expect(findCommand(argv)).toBe(problem);
  });
});
