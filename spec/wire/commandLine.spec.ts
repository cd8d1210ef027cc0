import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { version } from '../../package.json';
import { openHome, removeHomes } from '../support/home';
import { codexCall, greet, textOf } from '../support/legacy';
import { commandLine, endServers, startServer } from '../support/peer';

afterEach(endServers);
afterEach(removeHomes);

const run = (...args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env: openHome().env, input: '', encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('codex-rx', () => {
  it.each([['--help'], ['-h'], ['mcp-server', '--help']])('explains itself by %s %s', (...args) => {
    const { status, stdout, stderr } = run(...args.filter(Boolean));
    expect([status, stderr]).toEqual([0, '']);
    for (const word of ['mcp-server', '--config', '--model', '--profile', '--face', '--events', '--log-level']) {
      expect(stdout).toContain(word);
    }
  });

  it.each(['--version', '-v'])('tells its version by %s', (flag) => {
    expect(run(flag)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    ['an unknown option', ['--no-such-option']],
    ['an unknown option of the server', ['mcp-server', '--fcae', '0.28']],
    ['an unknown command', ['mcp-sever']],
    ['an option without its value', ['mcp-server', '-c']],
    ['a value that is no choice', ['mcp-server', '--face', '0.99']],
    ['a number that is none', ['mcp-server', '--ask-timeout', 'soon']],
    ['a time that is none', ['mcp-server', '--call-timeout', '-1']],
    ['one word too many', ['mcp-server', 'twice']],
  ])('refuses %s with exit code 2, and stdout stays empty', (_, args) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('codex-rx --help');
  });

  it('serves without a command as well', () => {
    expect(run()).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('codex-mcp-server', () => {
  it('is codex-rx mcp-server', () => {
    const program = resolve(__dirname, '../../bin/codex-mcp-server.js');
    const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { stdout, status } = spawnSync(process.execPath, [program, '--events', 'none'], {
      env: openHome().env,
      input,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '{"jsonrpc":"2.0","id":1,"result":{}}\n']);
  });
});

describe('-c, -m and -p', () => {
  const configuredBy = async (args: string[], call = {}) => {
    const home = openHome();
    const script = home.write('script.json', { otherwise: { items: [{ text: 'hello' }] } });
    home.write(
      '.codex/config.toml',
      [
        'model = "of the file"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        'wire_api = "scripted"',
        `script = "${script}"`,
        '[profiles.night]',
        'model = "of the profile"',
        'approval_policy = "never"',
      ].join('\n'),
    );
    const peer = startServer({ home, args });
    await greet(peer);
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'hi', call)))).toBe('hello');
    const { model, approval_policy } = (await peer.nextEvent('session_configured')).params.msg;
    return [model, approval_policy];
  };

  it.each([
    ['the file', [], {}, ['of the file', 'on-request']],
    ['-c', ['-c', 'model=of the flag', '-c', 'approval_policy="untrusted"'], {}, ['of the flag', 'untrusted']],
    ['--config=', ['--config=model=of the flag'], {}, ['of the flag', 'on-request']],
    ['-m', ['-m', 'of the option'], {}, ['of the option', 'on-request']],
    ['-p', ['-p', 'night'], {}, ['of the profile', 'never']],
    ['-m before -p', ['-p', 'night', '-m', 'of the option'], {}, ['of the option', 'never']],
    [
      'the arguments of the call before all',
      ['-m', 'x', '-p', 'night'],
      { model: 'of the call' },
      ['of the call', 'never'],
    ],
    ['config of the call', ['-m', 'x'], { config: { model: 'of the call' } }, ['of the call', 'on-request']],
  ])('a thread goes by %s', async (_, args, call, expected) => {
    expect(await configuredBy(args, call)).toEqual(expected);
  });
});
