import { isSystemError, SYSTEM_TEXTS, systemText, toSystemError } from '../../src/executor/systemErrors';
import { systemError } from './applying/memoryDisk';

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

describe('systemText', () => {
  it.each([
    [systemError('ENOENT', -2), 'No such file or directory (os error 2)'],
    [systemError('ENOSPC', -28), 'No space left on device (os error 28)'],
    [systemError('EWEIRD', -999), 'EWEIRD'],
    [new Error('plain'), 'plain'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('renders %s', (error, text) => {
    expect(systemText(error)).toBe(text);
  });
});

describe('isSystemError', () => {
  it('knows an error by its code', () => {
    const error = systemError('ENOENT', -2);
    expect([isSystemError(error, 'EIO', 'ENOENT'), isSystemError(error, 'EIO'), isSystemError(error)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isSystemError(undefined, 'EIO'), isSystemError(new Error('x'), 'EIO')]).toEqual([false, false]);
  });
});
