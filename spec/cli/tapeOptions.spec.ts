import { masksOf, problemOfMasks, sessionOf } from '../../src/cli/tapeOptions';
import { MASKS } from '../../src/session';

describe('sessionOf', () => {
  it('names what the sessions are counted in', () => {
    expect(sessionOf('A')).toEqual({
      type: 'number',
      from: 1,
      whole: true,
      describe: 'Number of the session in A, from 1. Default: the last',
    });
  });
});

describe('problemOfMasks', () => {
  it('names the first regular expression that cannot be used', () => {
    expect(problemOfMasks({ mask: ['a+', '^\\d'] })).toBeUndefined();
    expect(problemOfMasks({ mask: ['a+', '(', '['] })).toMatch(/^--mask \( cannot be used: /);
  });
});

describe('masksOf', () => {
  it('applies all masks but those that are switched off, and those of the command line', () => {
    const [first, ...rest] = MASKS;
    expect(masksOf({ mask: ['a+'], unmask: [first] })).toEqual({ names: rest, own: [/a+/g] });
    expect(masksOf({ mask: [], unmask: [] })).toEqual({ names: [...MASKS], own: [] });
  });
});
