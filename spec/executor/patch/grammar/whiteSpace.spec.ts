import { trim, trimEnd } from '../../../../src/executor/patch/grammar/whiteSpace';

describe('trim', () => {
  const blanks = ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000';

  it('takes off every character of White_Space, and no other', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const isBlank = (character: string) => /\p{White_Space}/u.test(character);
    expect(all.filter((character) => (trim(character) === '') !== isBlank(character))).toEqual([]);
  });

  it('leaves what stands between', () => {
    expect(trim(`${blanks}a b${blanks}`)).toBe('a b');
    expect(trim('\ufeffa\u200b')).toBe('\ufeffa\u200b');
    expect([trim(''), trim(blanks), trim('a')]).toEqual(['', '', 'a']);
  });

  it('does not take longer for many blanks in the middle', () => {
    const text = `${' '.repeat(2_000_000)}x`;
    expect(trimEnd(text)).toBe(text);
    expect(trim(`y${text}`)).toBe(`y${text}`);
  });
});

describe('trimEnd', () => {
  it('leaves the blanks at the beginning', () => {
    expect([trimEnd(' a \t'), trimEnd(' '), trimEnd('')]).toEqual([' a', '', '']);
  });
});
