import { of } from 'rxjs';
import { type CopyRequest, copyFile } from '../../../../src/executor/server/file/fileMethods';
import { INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { facts, filesOf } from '../files';

const request = (own: Partial<CopyRequest> = {}): CopyRequest => ({ sourcePath: '/a', destinationPath: '/b', ...own });

describe('copyFile', () => {
  it.each<[string, boolean, CopyRequest, string | undefined]>([
    ['a file', false, request(), undefined],
    ['a folder with all in it', true, request({ recursive: true }), undefined],
    [
      'a folder beside one whose name begins alike',
      true,
      request({ recursive: true, destinationPath: '/ab' }),
      undefined,
    ],
    ['a file onto itself', false, request({ destinationPath: '/a' }), undefined],
    ['no folder without recursive', true, request(), 'fs/copy requires recursive: true when sourcePath is a directory'],
    [
      'no folder into itself',
      true,
      request({ recursive: true, sourcePath: 'file:///a/', destinationPath: '/a/b' }),
      'fs/copy cannot copy a directory to itself or one of its descendants',
    ],
    [
      'no folder onto itself',
      true,
      request({ recursive: true, destinationPath: '/a' }),
      'fs/copy cannot copy a directory to itself or one of its descendants',
    ],
  ])('copies %s', (_, isDirectory, given, fault) =>
    marbles(({ expectObservable, flush }) => {
      const { files, calls } = filesOf({ facts: () => of(facts({ isDirectory })), copy: () => of(undefined) });
      const error = new RpcError(INVALID_REQUEST, fault ?? '');
      expectObservable(copyFile(files, given)).toBe(fault === undefined ? '(u|)' : '#', { u: undefined }, error);
      flush();
      expect(calls.filter(([name]) => name === 'copy')).toHaveLength(fault === undefined ? 1 : 0);
    })(),
  );
});
