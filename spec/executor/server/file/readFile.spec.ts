import { of, throwError } from 'rxjs';
import { readFile } from '../../../../src/executor/server/file/fileMethods';
import { INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { facts, filesOf } from '../files';

const MAX = 268_435_456;
const TOO_LONG = `file has more than ${MAX} bytes; read it in blocks`;

describe('readFile', () => {
  it(
    'reads a regular file, one byte beyond the limit at most',
    marbles(({ expectObservable, flush }) => {
      const { files, calls } = filesOf({ facts: () => of(facts({ size: MAX })), read: () => of(Buffer.from('abc')) });
      expectObservable(readFile(files, '/a')).toBe('(r|)', { r: { kind: 'result', result: { dataBase64: 'YWJj' } } });
      flush();
      expect(calls).toEqual([
        ['facts', '/a'],
        ['read', '/a', MAX + 1],
      ]);
    }),
  );

  it.each([
    ['a folder', facts({ isDirectory: true, isFile: false }), 3, 'Is a directory (os error 21)'],
    ['a device', facts({ isFile: false }), 3, 'not a regular file'],
    ['a file that is too long', facts({ size: MAX + 1 }), 3, TOO_LONG],
    ['a file without size that is too long', facts({ size: 0 }), MAX + 1, TOO_LONG],
  ])('refuses %s', (_, found, length, fault) =>
    marbles(({ expectObservable }) => {
      const { files } = filesOf({ facts: () => of(found), read: () => of({ length } as Uint8Array) });
      expectObservable(readFile(files, '/a')).toBe('#', {}, new RpcError(INVALID_REQUEST, fault));
    })(),
  );

  it(
    'passes the error of the system on',
    marbles(({ expectObservable }) => {
      const { files } = filesOf({ facts: () => throwError(() => new Error('ENOENT')) });
      expectObservable(readFile(files, '/a')).toBe('#', {}, new Error('ENOENT'));
    }),
  );
});
