import { areArguments, problemsIn } from '../../src/cli/command';

const options = {
  name: { type: 'string', describe: '' },
  colour: { type: 'string', describe: '', choices: ['red', 'green', 'blue'] },
  tag: { type: 'string', describe: '', array: true },
  wait: { type: 'number', describe: '', above: 0 },
  line: { type: 'number', describe: '', from: 1, whole: true },
  any: { type: 'number', describe: '' },
  loud: { type: 'boolean', describe: '' },
  file: { type: 'string', describe: '', required: true },
} as const;

const fitting = { tag: ['a'], loud: false, file: 'f', name: 'n', colour: 'red', wait: 0.5, line: 1, any: -7 };

describe('problemsIn', () => {
  it('finds none in values that fit', () => {
    expect(problemsIn(options, fitting)).toEqual([]);
    expect(problemsIn(options, { tag: [], loud: true, file: 'f' })).toEqual([]);
  });

  it.each<[object, string]>([
    [{ name: '' }, '--name needs a value'],
    [{ name: ['a', 'b'] }, '--name is given more than once'],
    [{ colour: 'pink' }, '--colour must be red, green or blue; it is pink'],
    [{ tag: ['a', ''] }, '--tag needs a value'],
    [{ wait: 0 }, '--wait must be a number above 0'],
    [{ wait: Number.NaN }, '--wait must be a number above 0'],
    [{ wait: '1' }, '--wait must be a number above 0'],
    [{ line: 0 }, '--line must be a whole number from 1'],
    [{ line: 1.5 }, '--line must be a whole number from 1'],
    [{ any: Number.NaN }, '--any must be a number'],
    [{ loud: 'yes' }, '--loud takes no value'],
    [{ loud: [true, true] }, '--loud is given more than once'],
    [{ file: undefined }, '--file is missing'],
  ])('finds what is wrong in %j', (values, problem) => {
    expect(problemsIn(options, { ...fitting, ...values })).toEqual([problem]);
  });

  it('lists all problems, under the names given', () => {
    const upper = (name: string) => name.toUpperCase();
    expect(problemsIn(options, { ...fitting, file: undefined, wait: -1 }, upper)).toEqual([
      'WAIT must be a number above 0',
      'FILE is missing',
    ]);
  });
});

describe('areArguments', () => {
  it('gives the values the types of the table', () => {
    const values: object = fitting;
    if (!areArguments(options, values)) throw new Error('they fit');
    const {
      colour,
      tag,
      wait,
      loud,
      file,
    }: {
      colour?: 'red' | 'green' | 'blue';
      tag: string[];
      wait?: number;
      loud: boolean;
      file: string;
    } = values;
    expect([colour, tag, wait, loud, file]).toEqual(['red', ['a'], 0.5, false, 'f']);
  });

  it('refuses what does not fit', () => {
    expect(areArguments(options, {})).toBe(false);
  });
});
