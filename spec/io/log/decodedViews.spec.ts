import fc from 'fast-check';
import { viewsOf } from '../../../src/io/log/decodedViews';

const viewsHere = (text: string) => [...viewsOf(text)].filter((view) => view !== undefined);
const seen = (text: string): string[] => viewsHere(text).map((view) => view.text);

describe('viewsOf', () => {
  it.each([
    ['a text without escapes', 'plain', []],
    ['the escapes of JSON', 'a\\nb\\"c\\u0041', ['a\nb"cA']],
    ['JSON in JSON', 'a\\\\nb', ['a\\nb', 'a\nb']],
    ['the escapes of programs', '\\x41\\101\\u{1f600}', ['AA\u{1f600}']],
    ['those of URLs', 'a%3Db%20c', ['a=b c']],
    ['those of HTML', '&quot;a&#61;&#x62;&amp;', ['"a=b&']],
    ['a colour', 'a\u001b[01;31mb\u001b[Kc', ['abc', 'a b c']],
    ['a link of a terminal', 'a\u001b]8;;http://x\u0007b', ['ab', 'a b']],
    ['an escaped colour', '\\u001b[32mab', ['\u001b[32mab', 'ab', ' ab']],
    ['what is no escape', '100% of C:\\Users & co; \\u12', []],
  ])('has the views of %s', (_, text, views) => {
    expect(seen(text)).toEqual([text, ...views]);
  });

  it('knows the place of each character in the text as it was written', () => {
    const [, view] = viewsHere('x\\ny%41z');
    expect([0, 1, 2, 3, 4, 5].map((at) => view?.placeOf(at))).toEqual([0, 1, 3, 4, 7, 8]);
  });

  it('leads each character that is no escape to itself, through all views', () => {
    const text = fc.string({ unit: fc.constantFrom('\\', 'n', '"', '%', '4', '1', '\u001b', '[', 'm', 'x', '&', ';') });
    fc.assert(
      fc.property(text, (written) => {
        for (const { text: shown, placeOf } of viewsHere(written)) {
          const places = Array.from({ length: shown.length + 1 }, (_, at) => placeOf(at));
          expect(places).toEqual([...places].sort((a, b) => a - b));
          expect(places.at(-1)).toBe(written.length);
        }
      }),
    );
  });
});
