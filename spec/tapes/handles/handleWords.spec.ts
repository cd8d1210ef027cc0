import fc from 'fast-check';
import { pairWords, tokensIn, withWords, wordsIn } from '../../../src/tapes/handles/handleTexts';

const texts = fc.string({ unit: fc.constantFrom('a', 'B', '1', '2', '9', '-', '_', ' ', 'é'), maxLength: 40 });

describe('wordsIn', () => {
  it('finds words with and without the joints around them', () => {
    expect(wordsIn('at _a-1_, -- b')).toEqual([
      { whole: 'at', inner: 'at', at: 0 },
      { whole: '_a-1_', inner: 'a-1', at: 3 },
      { whole: '--', inner: '', at: 10 },
      { whole: 'b', inner: 'b', at: 13 },
    ]);
  });
});

describe('tokensIn', () => {
  it.each([
    ['started with PID 4711, in abc_12-3', ['4711', 'abc_12-3']],
    ['words only', []],
    ['-_call_9x-_ 5', ['-_call_9x-_', 'call_9x', '5']],
  ])('of %j is %j', (text, tokens) => {
    expect(tokensIn(text)).toEqual(tokens);
  });

  it('are the words with a digit', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = wordsIn(text).flatMap(({ whole, inner }) => (inner === whole ? [whole] : [whole, inner]));
        expect(tokensIn(text)).toEqual(words.filter((word) => /\d/.test(word)));
      }),
    );
  });
});

describe('withWords', () => {
  it.each([
    ['pid=471, a-b', 'pid=9, a-b'],
    ['--471-- x471', '--9-- x471'],
    ['in _4_', 'in 7'],
  ])('of %j is %j', (text, expected) => {
    const changes: Record<string, string> = { 471: '9', _4_: '7', 4: 'never, as the whole word is known' };
    expect(withWords(text, (word) => changes[word])).toBe(expected);
  });

  it('leaves any text as it is where no word changes', () => {
    fc.assert(fc.property(texts, (text) => expect(withWords(text, () => undefined)).toBe(text)));
  });
});

describe('pairWords', () => {
  const paired = (text: string, other: string) => pairWords(text, other).map(([a, b]) => [a.whole, b.whole]);

  it.each<[string, string, string, string[][]]>([
    ['with digits by their number', 'id a1 of two', 'the id b2', [['a1', 'b2']]],
    ['without by their number', 'id Abc', 'id Xyz', [['Abc', 'Xyz']]],
    ['where only one has digits', 'id a1', 'id Xyz', [['a1', 'Xyz']]],
    ['by the text before them', 'opened a1', 'at 17:00 opened b2', [['a1', 'b2']]],
    ['not at all where nothing fits', 'opened a1', 'closed', []],
  ])('pairs words %s', (_, text, other, pairs) => {
    expect(paired(text, other)).toEqual(expect.arrayContaining(pairs));
    if (pairs.length === 0) expect(paired(text, other).map(([word]) => word)).not.toContain('a1');
  });
});
