import { MASKS } from '../../../src/tapes/matching/mask';
import { joinMaskWords, masksOf, NO_WORDS, problemOfMasks } from '../../../src/tapes/matching/maskWords';

describe('problemOfMasks', () => {
  it('is undefined for words that can be used', () => {
    const words = {
      mask: ['a+', '^\\d'],
      unmask: ['uuid'],
      'ignore-path': ['message.result'],
      'ignore-method': ['a*'],
    };
    expect(problemOfMasks(words)).toBeUndefined();
  });

  it.each([
    ['a pattern', { mask: ['a+', '(', '['] }, /^--mask \( cannot be used: /],
    ['a mask', { unmask: ['uid'] }, /^--unmask uid is not a mask; the masks are handle, uuid, /],
    [
      'a path',
      { 'ignore-path': ['a', 'b['] },
      /^--ignore-path b\[ is not a path; write it as the report does, such as /,
    ],
  ])('names %s that cannot be used', (_, words, problem) => {
    expect(problemOfMasks({ ...NO_WORDS, ...words })).toMatch(problem);
  });
});

describe('masksOf', () => {
  it('applies all masks but those that are switched off, and those of the words', () => {
    const [first, ...rest] = MASKS;
    expect(masksOf({ ...NO_WORDS, mask: ['a+'], unmask: [first] })).toEqual({ names: rest, own: [/a+/g] });
    expect(masksOf(NO_WORDS)).toEqual({ names: [...MASKS], own: [] });
  });

  it('ignores paths and methods', () => {
    expect(masksOf({ ...NO_WORDS, 'ignore-path': ['message.a.b'], 'ignore-method': ['x/*'] })).toEqual({
      names: [...MASKS],
      own: [],
      ignored: { paths: [['a', 'b']], methods: [/^x\/.*$/] },
    });
  });
});

describe('joinMaskWords', () => {
  it('joins the lists of all sources', () => {
    expect(
      joinMaskWords([
        { ...NO_WORDS, mask: ['a'] },
        { ...NO_WORDS, mask: ['b'], unmask: ['uuid'] },
      ]),
    ).toEqual({
      ...NO_WORDS,
      mask: ['a', 'b'],
      unmask: ['uuid'],
    });
  });
});
