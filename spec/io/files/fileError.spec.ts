import { FileError, failedWith, toFileError } from '../../../src/io/files/fileError';
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
