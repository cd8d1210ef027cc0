import { defineCommand } from '../../src/cli/command';

const run = jest.fn();
const play = defineCommand({
  usage: '$0 play FILE',
  positionals: { file: { type: 'string', required: true, describe: 'a file' } },
  options: {
    speed: { type: 'number', above: 0, default: 1, describe: 'times as fast' },
    loud: { type: 'boolean', describe: 'with sound' },
  },
  afterDashes: 'command',
  examples: [],
  problem: ({ loud, command }) => (loud && command.length === 0 ? '--loud needs a command' : undefined),
  run,
});
const list = defineCommand({ usage: '', positionals: {}, options: {}, afterDashes: 'nothing', examples: [], run });

beforeEach(() => run.mockClear());

describe('read', () => {
  it('gives the arguments with their defaults', () => {
    expect(play.read(['song'])).toEqual({
      kind: 'given',
      given: { file: 'song', speed: 1, loud: false, command: [] },
    });
    expect(play.read(['--speed', '2', 'song', '--loud', '--', 'mpv', '-x'])).toEqual({
      kind: 'given',
      given: { file: 'song', speed: 2, loud: true, command: ['mpv', '-x'] },
    });
    expect(list.read([])).toEqual({ kind: 'given', given: { command: [] } });
  });

  it.each([
    [[], 'FILE is missing'],
    [['--loud'], 'FILE is missing'],
    [['a', 'b'], 'b is one word too many; a command, with its options, goes after --'],
    [['a', 'b', '--', 'c'], 'b is one word too many'],
    [['a', '-x'], '-x is not an option; a command, with its options, goes after --'],
    [['a', '--speed', '0'], '--speed must be a number above 0'],
    [['a', '--loud'], '--loud needs a command'],
    [['a', '--sped', '1'], '--sped is not an option; did you mean --speed?'],
  ])('reports what is wrong with %j', (argv, problem) => {
    expect(play.read(argv)).toEqual({ kind: 'problem', problem });
  });

  it('gives all words that are left to a last word that is an array', () => {
    const others = { type: 'string', array: true, describe: 'more files' } as const;
    const file = { type: 'string', required: true, describe: 'a file' } as const;
    const join = defineCommand({
      usage: '',
      options: {},
      afterDashes: 'nothing',
      examples: [],
      run,
      positionals: { file, others },
    });
    const given = (...argv: string[]) => join.read(argv);
    expect(given('a')).toEqual({ kind: 'given', given: { file: 'a', others: [], command: [] } });
    expect(given('a', 'b', 'c')).toEqual({ kind: 'given', given: { file: 'a', others: ['b', 'c'], command: [] } });
    expect(given()).toEqual({ kind: 'problem', problem: 'FILE is missing' });
    expect(given('a', 'b', '')).toEqual({ kind: 'problem', problem: 'OTHERS needs a value' });
  });

  it('takes one of the choices for a word, and their type for it', () => {
    const action = { type: 'string', required: true, choices: ['add', 'drop'], describe: 'what to do' } as const;
    const change = defineCommand({
      usage: '',
      options: {},
      afterDashes: 'nothing',
      examples: [],
      positionals: { action },
      run: ({ action: one }) => run(one satisfies 'add' | 'drop'),
    });
    expect(change.read(['add'])).toEqual({ kind: 'given', given: { action: 'add', command: [] } });
    expect(change.read(['copy'])).toEqual({ kind: 'problem', problem: 'ACTION must be add or drop; it is copy' });
  });

  it('refuses a command line after -- if there is no use for one', () => {
    expect(list.read(['--', 'x'])).toEqual({ kind: 'problem', problem: 'This command takes nothing after --' });
  });

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
    ['-v', 'version'],
  ])('sees %s, whatever else is wrong', (flag, kind) => {
    expect(play.read(['--speed', '0', flag])).toEqual({ kind });
  });
});

describe('prepare', () => {
  it('runs the command with its arguments, and not before run is called', () => {
    const prepared = play.prepare(['song']);
    expect(run).not.toHaveBeenCalled();
    if (prepared.kind === 'ready') prepared.run();
    expect(run).toHaveBeenCalledWith({ file: 'song', speed: 1, loud: false, command: [] });
  });

  it.each([[[], 'problem'] as const, [['-h'], 'help'] as const, [['-v'], 'version'] as const])(
    'has nothing to run for %j',
    (argv, kind) => {
      expect(play.prepare(argv).kind).toBe(kind);
      expect(run).not.toHaveBeenCalled();
    },
  );
});
