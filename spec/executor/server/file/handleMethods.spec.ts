import { concat, EMPTY, finalize, NEVER, type Observable, of } from 'rxjs';
import type { OpenFile } from '../../../../src/executor/files';
import { handleMethods } from '../../../../src/executor/server/file/fileMethods';
import { INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
import { filesOf } from '../files';

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
    expect(call('fs/readBlock', { handleId: 'h', offset: 3, len: 1 })).toEqual([result({ chunk: 'YWI=', eof: true })]);
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
