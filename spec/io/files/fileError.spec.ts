import { FileError, failedWith, permissionFault, toFileError } from '../../../src/io/files/fileError';
import { systemError } from '../../support/files';

describe('toFileError', () => {
  it('names the file, the cause and the remedy', () => {
    const error = toFileError('/a', 'cannot be written', systemError('ENOSPC'));
    expect(error.message).toBe('/a cannot be written: the disk is full: free some space');
    expect(error.code).toBe('ENOSPC');
  });

  it('has the words of the system for any other cause', () => {
    expect(toFileError('/a', 'cannot be read', systemError('EIO')).message).toBe('/a cannot be read: EIO: fails');
  });

  it('keeps a FileError as it is', () => {
    const error = new FileError('mine');
    expect(toFileError('/a', 'cannot be read', error)).toBe(error);
  });
});

describe('failedWith', () => {
  it('compares the code of an error', () => {
    expect(failedWith(systemError('EACCES'), 'EROFS', 'EACCES')).toBe(true);
    expect(failedWith(new Error('none'), 'EACCES')).toBe(false);
  });
});

describe('permissionFault', () => {
  it.each([0o600, 0o400, 0o100700])('of mode %i is nothing', (mode) => {
    expect(permissionFault('/f', mode, 'linux')).toBeUndefined();
  });

  it.each([
    [0o100644, '644'],
    [0o602, '602'],
    [0o610, '610'],
  ])('of mode %i names it and the remedy', (mode, shown) => {
    expect(permissionFault('/f', mode, 'linux')).toBe(`/f is open to others (mode ${shown}); close it: chmod 600 /f`);
  });

  it('is nothing on a system without modes', () => {
    expect(permissionFault('/f', 0o666, 'win32')).toBeUndefined();
  });
});
