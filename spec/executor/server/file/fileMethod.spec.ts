import { of, throwError } from 'rxjs';
import * as z from 'zod/mini';
import { fileMethod } from '../../../../src/executor/server/file/fileMethods';
import { RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';

const schema = () => z.object({ path: z.string() });
const result = { kind: 'result' as const, result: 1 };

describe('fileMethod', () => {
  it(
    'checks the params and makes responses of errors of the system',
    marbles(({ expectObservable }) => {
      const missing = Object.assign(new Error('x'), { code: 'ENOENT', errno: -2 });
      const run = fileMethod(schema, ({ path }) => (path === '/a' ? of(result) : throwError(() => missing)));
      expectObservable(run({ path: '/a' })).toBe('(r|)', { r: result });
      const error = new RpcError(-32004, 'No such file or directory (os error 2)');
      expectObservable(run({ path: '/b' })).toBe('#', {}, error);
      expect(() => run({})).toThrow('missing field `path`');
    }),
  );
});
