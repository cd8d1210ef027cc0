import { EMPTY, of, throwError, toArray } from 'rxjs';
import * as z from 'zod/mini';
import type { Files } from '../../../../src/executor/files';
import {
  type CopyRequest,
  copyFile,
  fileMethod,
  fileMethods,
  invalid,
  notFound,
  readFile,
  withSystemErrors,
} from '../../../../src/executor/server/file/fileMethods';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { facts, filesOf } from '../files';

/** What a method sends, and what it did with the files. */
const run = (name: string, params: object, own: Partial<Files> = {}) => {
  const { files, calls } = filesOf(own);
  const outputs: unknown[] = [];
  (fileMethods({ files })[name]?.(params) ?? EMPTY)
    .pipe(toArray())
    .subscribe({ next: (all) => outputs.push(...all), error: (error) => outputs.push(error) });
  return { outputs, calls };
};
const result = (value: unknown) => ({ kind: 'result', result: value });
const done = () => of(undefined);

const ACCESS = { mode: 0o600, writable: true };

describe('fileMethods', () => {
  it.each<[string, object, Partial<Files>, unknown[], unknown]>([
    [
      'fs/writeFile',
      { path: 'file:///a%20b', dataBase64: 'YQ==' },
      { write: done },
      ['write', '/a b', Buffer.from('a')],
      {},
    ],
    ['fs/createDirectory', { path: '/a' }, { makeDirectory: done }, ['makeDirectory', '/a', { recursive: true }], {}],
    [
      'fs/createDirectory',
      { path: '/a', recursive: false },
      { makeDirectory: done },
      ['makeDirectory', '/a', { recursive: false }],
      {},
    ],
    ['fs/getMetadata', { path: '/a' }, { facts: () => of({ ...facts(), ...ACCESS }) }, ['facts', '/a'], facts()],
    [
      'fs/getMetadata',
      { path: '/a', access: true },
      { facts: () => of({ ...facts(), ...ACCESS }) },
      ['facts', '/a'],
      { ...facts(), ...ACCESS },
    ],
    ['fs/readDirectory', { path: '/a' }, { list: () => of([]) }, ['list', '/a'], { entries: [] }],
    ['fs/remove', { path: '/a' }, { remove: done }, ['remove', '/a', { recursive: true, force: true }], {}],
    [
      'fs/remove',
      { path: '/a', recursive: false, force: false },
      { remove: done },
      ['remove', '/a', { recursive: false, force: false }],
      {},
    ],
    [
      'fs/canonicalize',
      { path: '/a' },
      { canonical: () => of('/b c') },
      ['canonical', '/a'],
      { path: 'file:///b%20c' },
    ],
  ])('%s with %j', (name, params, own, call, value) => {
    expect(run(name, params, own)).toEqual({ calls: [call], outputs: [result(value)] });
  });

  it('reads and copies files by their facts', () => {
    const own = { facts: () => of(facts()), read: () => of(Buffer.from('a')), copy: done };
    expect(run('fs/readFile', { path: '/a' }, own).outputs).toEqual([result({ dataBase64: 'YQ==' })]);
    const copied = run('fs/copy', { sourcePath: '/a', destinationPath: '/b', recursive: false }, own);
    expect(copied).toEqual({
      calls: [
        ['facts', '/a'],
        ['copy', '/a', '/b'],
      ],
      outputs: [result({})],
    });
  });

  it('refuses bytes that are no base64, and writes nothing', () => {
    const fault = 'fs/writeFile requires valid base64 dataBase64: Invalid padding';
    expect(run('fs/writeFile', { path: '/a', dataBase64: 'YQ' })).toEqual({
      calls: [],
      outputs: [new RpcError(INVALID_REQUEST, fault)],
    });
  });
});

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

const schema = () => z.object({ path: z.string() });
const one = { kind: 'result' as const, result: 1 };

describe('fileMethod', () => {
  it(
    'checks the params and makes responses of errors of the system',
    marbles(({ expectObservable }) => {
      const missing = Object.assign(new Error('x'), { code: 'ENOENT', errno: -2 });
      const run = fileMethod(schema, ({ path }) => (path === '/a' ? of(one) : throwError(() => missing)));
      expectObservable(run({ path: '/a' })).toBe('(r|)', { r: one });
      const error = new RpcError(-32004, 'No such file or directory (os error 2)');
      expectObservable(run({ path: '/b' })).toBe('#', {}, error);
      expect(() => run({})).toThrow('missing field `path`');
    }),
  );
});

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
