import { cut, plain, quoted, wrap } from '../../../src/app/demo/text';

describe('plain', () => {
  it('shows line breaks and hides what a terminal would obey', () => {
    expect(plain('a\nb\r\nc\u001b[2J\u0007\n')).toBe('a ⏎ b ⏎ c�[2J�');
  });
});

describe('quoted', () => {
  it('puts a text in quotes, and nothing in empty ones', () => {
    expect([quoted('a\nb'), quoted(undefined)]).toEqual(['"a ⏎ b"', '""']);
  });
});

describe('cut', () => {
  it('keeps what fits and marks what does not', () => {
    expect([cut('12345', 5), cut('123456', 5)]).toEqual(['12345', '1234…']);
  });
});

describe('wrap', () => {
  it('breaks between words, and within one that is longer than a line', () => {
    expect(wrap('one two three4567890', 8)).toEqual(['one two', 'three456', '7890']);
  });
});
