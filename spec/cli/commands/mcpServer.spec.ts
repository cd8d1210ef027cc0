import { mcpServer } from '../../../src/cli/commands/mcpServer';
import { givenBy, problemBy } from '../reading';

describe('mcp-server', () => {
  it('has a default for whatever needs one', () => {
    expect(givenBy(mcpServer)).toEqual({
      lock: false,
      'allow-call-override': false,
      'allow-call-config': [],
      command: [],
      config: [],
      model: undefined,
      profile: undefined,
      engine: 'auto',
      codex: undefined,
      tape: undefined,
      'tape-speed': 'max',
      'answer-within': undefined,
      tools: 'codex',
      'offer-tapes': undefined,
      'max-tokens': undefined,
      'task-after': '2',
      'tasks-outlive': 0,
      'tape-match': 'strict',
      face: 'union',
      events: 'auto',
      'thread-id-in-text': 'auto',
      'ask-timeout': 600,
      'call-timeout': 3600,
      'keep-threads': 1800,
      'model-timeout': 60,
      'log-level': 'warning',
      'log-file': undefined,
      record: undefined,
      'ask-for-approval': undefined,
      sandbox: undefined,
      cd: undefined,
      oss: false,
      'full-auto': false,
      'dangerously-bypass-approvals-and-sandbox': false,
      yolo: false,
      enable: [],
      disable: [],
      search: false,
      'strict-config': false,
      image: [],
      'add-dir': [],
      'local-provider': undefined,
      'no-alt-screen': false,
      'dangerously-bypass-hook-trust': false,
    });
  });

  it('reads the command line of the original', () => {
    const argv = ['-c', 'a=1', '--config', 'b=2', '-m', 'gpt-5', '-p', 'careful', '-a', 'never', '-s', 'read-only'];
    expect(givenBy(mcpServer, ...argv, '-C', '/', '--enable', 'x', '--oss')).toMatchObject({
      config: ['a=1', 'b=2'],
      model: 'gpt-5',
      profile: 'careful',
      'ask-for-approval': 'never',
      sandbox: 'read-only',
      cd: '/',
      enable: ['x'],
      oss: true,
    });
  });

  it.each([
    [['--face', '0.99'], '--face must be union, 0.28 or 0.153; it is 0.99'],
    [['--ask-timeout', 'soon'], '--ask-timeout must be a number above 0'],
    [['--call-timeout', '-1'], '--call-timeout must be a number above 0'],
    [['--engine', 'tape'], '--engine tape needs a tape: add --tape FILE'],
    [['--tape-speed', 'fast'], '--tape-speed must be a number above 0, or max'],
    [['--task-after', 'soon'], '--task-after must be a number from 0, or never'],
    [['--task-after', '-1'], '--task-after must be a number from 0, or never'],
    [['--cd', '/no/such/folder'], '--cd must be an existing folder; /no/such/folder is not one'],
    [['--enable', 'a b'], 'a b is not the name of a feature: letters, digits, _ and - only'],
    [['-m', 'a', '-m', 'b'], '--model is given more than once'],
    [['--fcae', 'x'], '--fcae is not an option; did you mean --face?'],
    [['twice'], 'twice is one word too many'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(mcpServer, ...argv)).toBe(problem);
  });
});
