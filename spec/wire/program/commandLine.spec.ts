import { spawn, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { attach, commandLine, endServers, scripted, startServer } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

afterEach(endServers);
afterEach(removeHomes);

const run = (...args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env: openHome().env, input: '', encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('codex-rx', () => {
  it.each([
    ['--help', 'all'],
    ['mcp-server', '--help'],
  ])('explains itself by %s %s', (...args) => {
    const { status, stdout, stderr } = run(...args.filter(Boolean));
    expect([status, stderr]).toEqual([0, '']);
    for (const word of ['mcp-server', '--config', '--model', '--profile', '--face', '--events', '--log-level']) {
      expect(stdout).toContain(word);
    }
  });

  it('breaks no flag over two lines at 80 columns', () => {
    const { stdout } = run('--help', 'all');
    const long = '      --dangerously-bypass-approvals-and-sandbox\n';
    expect(stdout).toContain(long);
    expect(stdout).toMatch(new RegExp(`${long} {20,}Run every command`));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(run('--get-yargs-completions', 'codex-rx', 'mcp-server', '--d').stdout).toContain(long.trim());
  });

  it.each(['--version', '-v'])('prints its version for %s', (flag) => {
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
    ['a command of the original that is none here', ['mcp', 'add', 'x']],
  ])('refuses %s with exit code 2, and stdout stays empty', (_, args) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('codex-rx --help');
  });

  it.each([
    [['--fcae', '0.28'], '--fcae is not an option; did you mean --face?\n'],
    [['replay', 't', '--sped', '1'], '--sped is not an option; did you mean --speed?\n'],
    [['mcp-sever'], 'mcp-sever is not a command; did you mean mcp-server?\n'],
  ])('names the nearest to what it does not know: %j', (args, words) => {
    expect(run(...args).stderr).toContain(words);
  });

  it.each([[[]], [['mcp']], [['-a', 'never', '--sandbox', 'read-only', '--cd', '/', '--oss', 'mcp-server']]])(
    'serves, quietly, when it is called with %j',
    (args) => {
      expect(run(...args)).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('warns of flags of the original that they have no effect, and serves', () => {
    expect(run('--search', 'mcp-server', '--strict-config')).toEqual({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^codex-rx: --search has no effect.*\ncodex-rx: --strict-config has no effect.*\n$/,
      ),
    });
  });

  it.each(['--help', '-h', 'help'])('shows its commands in groups by %s, and no options', (flag) => {
    const { status, stdout } = run(flag);
    expect([status, stdout.includes('\nSet it up:\n  init '), stdout.includes('--config')]).toEqual([0, true, false]);
  });

  it('writes a page for man', () => {
    expect(run('--help', 'man').stdout).toMatch(/^\.TH CODEX\\-RX 1\n[\s\S]*\n\.SS init \[client\] \[name\]\n/);
  });

  it('writes scripts for shell completion, and completes commands, options and values', () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect(run('completion', shell).stdout).toContain('codex-rx --get-yargs-completions');
    expect(run('completion', 'csh')).toMatchObject({ status: 2, stdout: '' });
    expect(run('--get-yargs-completions', 'codex-rx', 'init', 'cur').stdout).toBe('cursor\n');
    expect(run('--get-yargs-completions', 'codex-rx', 'doctor', '--role', 'w').stdout).toBe('watcher\n');
    expect(run('--get-yargs-completions', 'codex-rx', 'dia').stdout).toContain('diagram');
    expect(run('--get-yargs-completions', 'codex-rx', 'diagram', '--ax').stdout).toContain('--axis');
  });

  it('starts in a folder that was deleted, and fails the calls that need it', async () => {
    const home = openHome();
    const [program, args] = commandLine('mcp-server', ...scripted(home, { otherwise: { items: [{ text: 'hello' }] } }));
    const leave = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const child = spawn('/bin/sh', ['-c', leave, 'sh', program, ...args], { cwd: home.work, env: home.env });
    const peer = attach(child, home);
    await greet(peer);
    const call = (cwd?: string) => peer.request('tools/call', { name: 'codex', arguments: { prompt: 'hi', cwd } });
    expect(textOf(await call(home.work))).toContain('hello');
    const { result } = await call();
    expect([result.isError, textOf({ result })]).toEqual([
      true,
      expect.stringContaining(`${join(home.work, 'gone')}" is not an existing folder`),
    ]);
    expect(await peer.end()).toEqual({ code: 0, signal: null });
  });
});

describe('codex-mcp-server', () => {
  it('is codex-rx mcp-server', () => {
    const program = resolve(__dirname, '../../../bin/codex-mcp-server.js');
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
    ['-a before -c', ['-c', 'approval_policy=untrusted', '-a', 'never'], {}, ['of the file', 'never']],
    [
      '--dangerously-bypass-approvals-and-sandbox',
      ['--dangerously-bypass-approvals-and-sandbox'],
      {},
      ['of the file', 'never'],
    ],
    ['config of the call', ['-m', 'x'], { config: { model: 'of the call' } }, ['of the call', 'on-request']],
  ])('a thread goes by %s', async (_, args, call, expected) => {
    expect(await configuredBy(args, call)).toEqual(expected);
  });
});

describe('codex-rx run', () => {
  it('runs one turn, and prints the answer and the thread', () => {
    const home = openHome();
    const script = { otherwise: { items: [{ text: 'hello' }] } };
    const line = (...args: string[]) => commandLine('run', ...scripted(home, script), '--engine', 'native', ...args);
    const turn = (input: string, ...args: string[]) => {
      const [program, rest] = line(...args);
      const { status, stdout, stderr } = spawnSync(program, rest, {
        cwd: home.work,
        env: home.env,
        input,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };
    expect(turn('', 'say', 'it')).toEqual({
      status: 0,
      stdout: 'hello\n',
      stderr: expect.stringMatching(/^To continue: codex-rx run --thread [0-9a-f-]{36} PROMPT\n$/),
    });
    const { stdout } = turn('say it\n', '--json', '-q', '-o', join(home.work, 'tape.jsonl'));
    expect(JSON.parse(stdout)).toEqual({
      content: 'hello',
      isError: false,
      threadId: expect.any(String),
      usage: { contextWindow: expect.any(Number) },
      durationMs: expect.any(Number),
      changes: [],
      commands: 0,
      notDone: [],
    });
    expect(turn('', '--thread', 'none', 'x')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('none'),
    });
    expect(turn('')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('no prompt') });
  });
});
