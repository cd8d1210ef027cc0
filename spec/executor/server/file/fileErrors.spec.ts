import { throwError } from 'rxjs';
import { invalid, notFound, withSystemErrors } from '../../../../src/executor/server/file/fileMethods';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';

const failed = (code: string | undefined, errno?: number) => Object.assign(new Error('as it stands'), { code, errno });

describe('withSystemErrors', () => {
  it.each([
    [failed('ENOENT', -2), new RpcError(-32004, 'No such file or directory (os error 2)')],
    [failed('EACCES', -13), new RpcError(INTERNAL_ERROR, 'Permission denied (os error 13)')],
    [failed('ENOENT'), new RpcError(-32004, 'as it stands')],
    [failed('EXDEV', -18), new RpcError(INTERNAL_ERROR, 'as it stands')],
    [failed(undefined), new RpcError(INTERNAL_ERROR, 'as it stands')],
    [new RpcError(1, 'own'), new RpcError(1, 'own')],
  ])('makes of %o a response', (error, response) =>
    marbles(({ expectObservable }) => {
      expectObservable(throwError(() => error).pipe(withSystemErrors())).toBe('#', {}, response);
    })(),
  );

  it(
    'passes everything else on',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-b|').pipe(withSystemErrors())).toBe('-a-b|');
    }),
  );
});

describe('invalid, notFound', () => {
  it(
    'fail with their codes',
    marbles(({ expectObservable }) => {
      expectObservable(invalid('a')).toBe('#', {}, new RpcError(INVALID_REQUEST, 'a'));
      expectObservable(notFound('b')).toBe('#', {}, new RpcError(-32004, 'b'));
    }),
  );
});
