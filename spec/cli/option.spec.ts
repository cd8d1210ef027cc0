import { defaultsOf, isList, type Options, toFlag } from '../../src/cli/option';

const options = {
  size: { type: 'number', default: 3, describe: 'a size' },
  name: { type: 'string', describe: 'a name' },
  tag: { type: 'string', array: true, describe: 'some tags' },
  loud: { type: 'boolean', describe: 'a switch' },
} satisfies Options;

describe('toFlag', () => {
  it.each([
    ['v', '-v'],
    ['version', '--version'],
  ])('of %s is %s', (name, flag) => expect(toFlag(name)).toBe(flag));
});

describe('isList', () => {
  it.each([
    ['size', false],
    ['name', false],
    ['tag', true],
    ['loud', false],
  ] as const)('of %s is %j', (name, expected) => expect(isList(options[name])).toBe(expected));
});

describe('defaultsOf', () => {
  it('has a value for each option', () => {
    expect(defaultsOf(options)).toEqual({ size: 3, name: undefined, tag: [], loud: false });
  });
});
