import { normalise } from '../../../../src/executor/patch/matching/placeChunks';

describe('normalise', () => {
  it.each([
    ['dashes', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-------'],
    ['single quotes', '\u2018\u2019\u201a\u201b', "''''"],
    ['double quotes', '\u201c\u201d\u201e\u201f', '""""'],
    ['spaces', 'a\u00a0\u2002\u2003\u2009\u200a\u202f\u205f\u3000b', 'a        b'],
    ['blanks at the ends', '\t\u3000a b\u00a0', 'a b'],
  ])('writes %s in ASCII', (_, text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it.each(['a  b', '\u2026', '\u200b', '\ufeff', '\u2001x'.slice(1), 'É'])('leaves %j', (text) => {
    expect(normalise(text)).toBe(text);
  });
});
