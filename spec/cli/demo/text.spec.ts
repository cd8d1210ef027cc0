import { plain, quoted } from '../../../src/cli/demo/toMarks';

describe('plain', () => {
  it('shows line breaks, and what a terminal would obey', () => {
    expect(plain('a\nb\r\nc\u001b[2J\u0007\u202e\n')).toBe('a ⏎ b ⏎ c\\u001b[2J\\u0007\\u202e');
  });
});

describe('quoted', () => {
  it('puts a text in quotes, and nothing in empty ones', () => {
    expect([quoted('a\nb'), quoted(undefined)]).toEqual(['"a ⏎ b"', '""']);
  });
});
