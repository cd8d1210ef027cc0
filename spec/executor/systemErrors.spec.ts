import { SYSTEM_TEXTS, toSystemError } from '../../src/executor/systemErrors';

describe('toSystemError', () => {
  it('is the inverse of the texts', () => {
    for (const [code, words] of Object.entries(SYSTEM_TEXTS)) {
      expect(toSystemError(`${words} (os error 7)`)).toMatchObject({
        code,
        errno: -7,
        message: `${words} (os error 7)`,
      });
    }
  });

  it('keeps what follows the number', () => {
    expect(toSystemError('Read-only file system (os error 30); name it by --root')).toMatchObject({ code: 'EROFS' });
  });

  it.each(['', 'unknown process', 'Odd thing (os error 99)', 'Is a directory', 'x Is a directory (os error 21)'])(
    'leaves %j',
    (text) => {
      expect(toSystemError(text)).toBeUndefined();
    },
  );
});
