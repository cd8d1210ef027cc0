import { EMPTY, of, toArray } from 'rxjs';
import type { Files } from '../../../../src/executor/files';
import { fileMethods } from '../../../../src/executor/server/file/fileMethods';
import { INVALID_REQUEST, RpcError } from '../../../../src/protocol/jsonrpc/messages';
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
