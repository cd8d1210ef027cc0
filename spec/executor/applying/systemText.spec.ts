import { isSystemError, systemText } from '../../../src/executor/applying/systemText';
import { systemError } from './memoryDisk';

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
