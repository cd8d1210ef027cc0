import fc from 'fast-check';
import { alignTexts } from '../../../src/tapes/specWriter/alignTexts';

/** The parts without empty ones, words joined by |, with their label. */
const drawn = (...texts: string[]): string | undefined =>
  alignTexts(texts)
    ?.map((part) => (typeof part === 'string' ? part : `[${part.label}: ${part.words.join('|')}]`))
    .join('');

describe('alignTexts', () => {
  it.each([
    ['a word', ['made n_1a.', 'made n_2b.'], 'made [: n_1a|n_2b].'],
    ['three texts', ['row 1 of 5', 'row 2 of 5', 'row 1 of 5'], 'row [: 1|2|1] of 5'],
    ['a member of JSON', ['{"id":"a1","n":5}', '{"id":"b2","n":5}'], '{"id":"[id: a1|b2]","n":5}'],
    ['a line of YAML', ['size: 17\nok', 'size: 4\nok'], 'size: [size: 17|4]\nok'],
    ['a path', ['/tmp/x-1/out.txt', '/tmp/x-2/out.txt'], '/tmp/[: x-1|x-2]/out.txt'],
    [
      'a time as one word',
      ['at 2026-11-23T00:05:26.123Z', 'at 2026-11-23T00:06:26.9Z'],
      'at [: 2026-11-23T00:05:26.123Z|2026-11-23T00:06:26.9Z]',
    ],
    [
      'a time of a locale as one word',
      ['made at 11/23/2026, 9:59:59 AM.', 'made at 11/23/2026, 12:00:01 PM.'],
      'made at [: 11/23/2026, 9:59:59 AM|11/23/2026, 12:00:01 PM].',
    ],
    ['a decimal number as one word', ['took 1.5 s', 'took 1.25 s'], 'took [: 1.5|1.25] s'],
    ['lines of ids', ['a1\nb2', 'c3\nd4'], '[: a1|c3]\n[: b2|d4]'],
  ])('finds %s', (_, texts, parts) => {
    expect(drawn(...texts)).toBe(parts);
  });

  it.each([
    ['one word', ['note-1', 'note-2']],
    ['other signs between the words', ['a b', 'a, b']],
    ['more words', ['a b', 'a b c']],
    ['other prose', ['the sun shines', 'a dog barks']],
    ['base64', ['aB3/xx+', 'cD4/yy+']],
  ])('finds nothing in %s', (_, texts) => {
    expect(drawn(...texts)).toBeUndefined();
  });

  it('keeps every text, and gives one text for two that are the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.stringMatching(/^[a-z]\d$/), { maxLength: 5 }),
        (text, words) => {
          const texts = [`${text} common ${words.join(' ')}`, `${text} common ${words.map(() => 'x9').join(' ')}`];
          const parts = alignTexts(texts) ?? [];
          for (const at of [0, 1]) {
            expect(parts.map((part) => (typeof part === 'string' ? part : part.words[at])).join('')).toBe(texts[at]);
          }
        },
      ),
    );
  });
});
