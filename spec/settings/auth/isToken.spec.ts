import { isToken } from '../../../src/settings/auth/isToken';

describe('isToken', () => {
  it.each(['a', 'eyJhbGciOi.J9-_~+/=', 'with a blank'])('takes %j', (value) => {
    expect(isToken(value)).toBe(true);
  });

  it.each(['', 'a\r\nx-evil: 1', 'a\n', '\u001b]0;x\u0007', '\u007f', 'café', '\u202e', null, undefined, 7, {}])(
    'takes %j for none',
    (value) => {
      expect(isToken(value)).toBe(false);
    },
  );
});
