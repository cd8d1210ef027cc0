import fc from 'fast-check';
import { toVisible, toVisibleLines, toVisibleScript } from '../../../src/streams/text/visible';
import { character } from '../../support/hostile';

/** What no terminal may get, and no reader would see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u0007', '\n', '\r', '\t', '\b', '\u007f', '\u202e', '\u2066', '\u200b'),
    fc.constantFrom('\ufeff', '\u2028', '\u00ad', '\u061c', '\u3164', '\ufe0f', '\u{e0041}', '\ud800', '[31m', '\\'),
    character,
  ),
});

describe('toVisible', () => {
  it.each([
    ['plain text stays', 'Grüße, 日本語, Ω 🚀', 'Grüße, 日本語, Ω 🚀'],
    ['a colour', '\u001b[31mred', '\\x1b[31mred'],
    ['a title of the window', '\u001b]0;x\u0007', '\\x1b]0;x\\x07'],
    ['a C1 control', '\u009b2J', '\\u009b2J'],
    ['line breaks and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['text that runs backwards', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
    ['zero-width characters', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['characters behind the first plane', '\u{e0041}', '\\udb40\\udc41'],
    ['half of a pair', 'a\ud800b', 'a\\ud800b'],
    ['nothing', '', ''],
  ])('shows %s', (_, text, expected) => {
    expect(toVisible(text)).toBe(expected);
  });

  it('leaves nothing unseen, and changes nothing twice', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = toVisible(text);
        expect(shown).not.toMatch(UNSEEN);
        expect(toVisible(shown)).toBe(shown);
      }),
    );
  });

  it('leaves a line of JSON the same value', () => {
    fc.assert(
      fc.property(hostile, (text) =>
        expect(JSON.parse(toVisible(JSON.stringify({ [text]: text })))).toEqual({ [text]: text }),
      ),
    );
  });
});

describe('toVisibleLines and toVisibleScript', () => {
  it('keep line breaks, the latter tabs too, and show all else', () => {
    expect(toVisibleLines('a\u001b[2J\n\tb\r\n')).toBe('a\\x1b[2J\n\\tb\\r\n');
    expect(toVisibleScript('a\u001b[2J\n\tb\r\n')).toBe('a\\x1b[2J\n\tb\\r\n');
  });
});
