import { concat, EMPTY, finalize, NEVER, type Observable, of, throwError, toArray } from 'rxjs';
import * as z from 'zod/mini';
import type { Files, OpenFile } from '../../../../src/executor/files';
import {
  type CopyRequest,
  copyFile,
  fileMethod,
  fileMethods,
  handleMethods,
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

describe('handleMethods', () => {
  const result = (value: unknown) => ({ kind: 'result', result: value });
  const refused = (message: string, code = INVALID_REQUEST) => new RpcError(code, message);

  /** The methods over one file; `done` is what was done with it, `call` what a method sends at once. */
  const methodsOf = (opened: (file: OpenFile) => Observable<OpenFile> = (file) => concat(of(file), NEVER)) => {
    const done: string[] = [];
    const file: OpenFile = {
      read: (offset, length) => {
        done.push(`read ${offset} ${length}`);
        return of({ bytes: Buffer.from('ab'), eof: true });
      },
      write: (offset, bytes) => {
        done.push(`write ${offset} ${bytes}`);
        return of(undefined);
      },
      close: () => done.push('close'),
    };
    const { files, calls } = filesOf({ open: () => opened(file).pipe(finalize(() => done.push('left'))) });
    const methods = handleMethods(files);
    const start = (name: string, params: object) => {
      const outputs: unknown[] = [];
      const running = (methods[name]?.(params) ?? EMPTY).subscribe({
        next: (output) => outputs.push(output),
        error: (error) => outputs.push(error),
      });
      return { outputs, running };
    };
    return { done, calls, start, call: (name: string, params: object) => start(name, params).outputs };
  };

  const open = { handleId: 'h', path: '/a' };

  describe('handleMethods', () => {
    it('opens a file, reads and writes blocks, and closes it', () => {
      const { calls, done, call } = methodsOf();
      expect(call('fs/open', { ...open, mode: 'replace' })).toEqual([result({ handleId: 'h' })]);
      expect(call('fs/readBlock', { handleId: 'h', offset: 3, len: 1 })).toEqual([
        result({ chunk: 'YWI=', eof: true }),
      ]);
      expect(call('fs/writeBlock', { handleId: 'h', offset: 4, chunk: 'YQ==' })).toEqual([result({})]);
      expect(call('fs/close', { handleId: 'h' })).toEqual([result({})]);
      expect([calls, done]).toEqual([[['open', '/a', 'replace']], ['read 3 1', 'write 4 a', 'close']]);
    });

    it('opens to read if nothing else is requested', () => {
      const { calls, call } = methodsOf();
      call('fs/open', open);
      expect(calls).toEqual([['open', '/a', 'read']]);
    });

    it('leaves the file when the request is unsubscribed, and frees its handle', () => {
      const { done, start, call } = methodsOf();
      start('fs/open', open).running.unsubscribe();
      expect(done).toEqual(['left']);
      expect(call('fs/open', open)).toEqual([result({ handleId: 'h' })]);
    });

    it('refuses a handle that is taken, also while its file is being opened', () => {
      const { call } = methodsOf(() => NEVER);
      call('fs/open', open);
      expect(call('fs/open', open)).toEqual([refused('file handle h already exists')]);
      expect(call('fs/readBlock', { handleId: 'h', offset: 0, len: 1 })).toEqual([
        refused('unknown file handle h', -32004),
      ]);
    });

    it('refuses more than 128 open files', () => {
      const { call } = methodsOf();
      const answers = Array.from({ length: 129 }, (_, i) => call('fs/open', { ...open, handleId: `${i}` })[0]);
      expect(answers.slice(127)).toEqual([result({ handleId: '127' }), refused('too many open files: 128')]);
    });

    it.each([
      [0, false],
      [1, true],
      [1_048_576, true],
      [1_048_577, false],
    ])('reads a block of %i bytes: %j', (len, isRead) => {
      const { done, call } = methodsOf();
      call('fs/open', open);
      const [output] = call('fs/readBlock', { handleId: 'h', offset: 0, len });
      expect(done).toEqual(isRead ? [`read 0 ${len}`] : []);
      if (!isRead) expect(output).toEqual(refused('file read block length must be between 1 and 1048576'));
    });

    it('refuses a block without bytes, an unknown handle, and takes a close of one', () => {
      const { call } = methodsOf();
      expect(call('fs/writeBlock', { handleId: 'h', offset: 0, chunk: '' })).toEqual([
        refused('file write block length must be between 1 and 1048576'),
      ]);
      expect(call('fs/writeBlock', { handleId: 'h', offset: 0, chunk: 'YQ==' })).toEqual([
        refused('unknown file handle h', -32004),
      ]);
      expect(call('fs/close', { handleId: 'h' })).toEqual([result({})]);
    });
  });
});
