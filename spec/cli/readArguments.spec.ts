import { readArguments } from '../../src/cli/readArguments';

const options = {
  config: { type: 'string', alias: 'c', array: true, describe: '' },
  model: { type: 'string', alias: 'm', describe: '' },
  wait: { type: 'number', default: 5, describe: '' },
  quiet: { type: 'boolean', alias: 'q', describe: '' },
} as const;

const defaults = { config: [], model: undefined, wait: 5, quiet: false };

const read = (...argv: string[]) => readArguments(options, argv);

describe('readArguments', () => {
  it.each<[string[], object, string[]?]>([
    [[], {}],
    [['-m', 'gpt-5'], { model: 'gpt-5' }],
    [['--model=a=b'], { model: 'a=b' }],
    [['-mgpt-5'], { model: 'gpt-5' }],
    [['-m=gpt-5'], { model: 'gpt-5' }],
    [['-cmodel=x', '-c', 'a.b=1'], { config: ['model=x', 'a.b=1'] }],
    [['--wait', '0.5'], { wait: 0.5 }],
    [['--wait', 'soon'], { wait: Number.NaN }],
    [['-m', 'a', '-m', 'b'], { model: ['a', 'b'] }],
    [['-q', 'file', '7'], { quiet: true }, ['file', '7']],
    [['-'], {}, ['-']],
    [['-h'], { help: true }],
    [['--version'], { version: true }],
    [['-V'], { version: true }],
  ])('reads %j', (argv, values, words = []) => {
    expect(read(...argv)).toEqual({ values: { ...defaults, ...values }, named: new Set(Object.keys(values)), words });
  });

  it('leaves what stands after -- alone', () => {
    expect(read('-q', '--', 'node', '-mx', '--model')).toEqual({
      values: { ...defaults, quiet: true },
      named: new Set(['quiet']),
      words: [],
      command: ['node', '-mx', '--model'],
    });
  });

  it.each([
    [['-m'], '-m needs a value'],
    [['--model', '-q'], '--model needs a value'],
    [['-c'], '-c needs a value'],
    [['--modl', 'x'], '--modl is not an option; did you mean --model?'],
    [['--no-quiet'], '--no-quiet is not an option; did you mean --quiet?'],
    [['--zzz'], '--zzz is not an option'],
    [['-z'], '-z is not an option'],
    [['--model.x=y'], '--model.x is not an option; did you mean --model?'],
  ])('reports what is wrong with %j', (argv, problem) => {
    expect(read(...argv)).toBe(problem);
  });
});
