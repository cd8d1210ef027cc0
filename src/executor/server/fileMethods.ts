/** Owns the methods of family fs/ over the port Files. */
import { catchError, concatMap, finalize, map, type Observable, of, tap, throwError } from 'rxjs';
import { INTERNAL_ERROR, INVALID_REQUEST, type JsonObject, RpcError } from '../../protocol';
import type { Files, OpenFile } from '../files';
import { toUri } from '../toUri';
import { count, decodeBase64, fieldsOf, optionalFlag, path, text } from './params';
import { refuseSandbox } from './process/readStart';
import { answer, answers, type Method, type Said } from './said';

export type FileMethodsDeps = { files: Files };

const NOT_FOUND = -32004;
const MAX_BLOCK_BYTES = 1_048_576;
const MAX_HANDLES = 128;
/** A whole file travels as one message. */
const MAX_FILE_BYTES = 268_435_456;

/** The methods of one session; the files it holds open are closed with the requests that opened them. */
export const fileMethods = ({ files }: FileMethodsDeps): Record<string, Method> => {
  const handles = new Map<string, OpenFile | undefined>();

  const readFile = (fields: JsonObject) => {
    const from = path(fields, 'path');
    return files.facts(from).pipe(
      concatMap(({ isDirectory, isFile, size }) => {
        if (isDirectory) return refuse('Is a directory (os error 21)');
        if (!isFile) return refuse('not a regular file');
        return size > MAX_FILE_BYTES
          ? refuse(`file has more than ${MAX_FILE_BYTES} bytes; read it in blocks`)
          : files.read(from);
      }),
      map((bytes) => answer({ dataBase64: toBase64(bytes) })),
    );
  };

  const writeFile = (fields: JsonObject) => {
    const to = path(fields, 'path');
    const bytes = decodeBase64(text(fields, 'dataBase64'));
    if (typeof bytes === 'string') return refuse(`fs/writeFile requires valid base64 dataBase64: ${bytes}`);
    return answers(files.write(to, bytes), done);
  };

  const copy = (fields: JsonObject) => {
    const [from, to] = [path(fields, 'sourcePath'), path(fields, 'destinationPath')];
    const recursive = optionalFlag(fields, 'recursive') ?? false;
    return files.facts(from).pipe(
      concatMap(({ isDirectory }) => {
        if (!isDirectory) return files.copy(from, to);
        if (!recursive) return refuse('fs/copy requires recursive: true when sourcePath is a directory');
        return `${to}/`.startsWith(`${from.replace(/\/+$/, '')}/`)
          ? refuse('fs/copy cannot copy a directory to itself or one of its descendants')
          : files.copy(from, to);
      }),
      map(() => answer({})),
    );
  };

  const open = (fields: JsonObject) => {
    const handleId = text(fields, 'handleId');
    const from = path(fields, 'path');
    if (handles.has(handleId)) return refuse(`file handle ${handleId} already exists`);
    if (handles.size >= MAX_HANDLES) return refuse(`too many open files: ${MAX_HANDLES}`);
    handles.set(handleId, undefined);
    return files.open(from).pipe(
      tap((file) => handles.set(handleId, file)),
      map(() => answer({ handleId })),
      finalize(() => handles.delete(handleId)),
    );
  };

  const readBlock = (fields: JsonObject) => {
    const file = handles.get(text(fields, 'handleId'));
    const [offset, len] = [count(fields, 'offset'), count(fields, 'len')];
    if (len < 1 || len > MAX_BLOCK_BYTES) {
      return refuse(`file read block length must be between 1 and ${MAX_BLOCK_BYTES}`);
    }
    if (file === undefined) return throwError(() => new RpcError(NOT_FOUND, `unknown file handle ${fields.handleId}`));
    return answers(file.read(offset, len), ({ bytes, eof }) => ({ chunk: toBase64(bytes), eof }));
  };

  const close = (fields: JsonObject) => {
    const handleId = text(fields, 'handleId');
    handles.get(handleId)?.close();
    return of(answer({}));
  };

  const methods: Record<string, (fields: JsonObject) => Observable<Said>> = {
    'fs/readFile': readFile,
    'fs/writeFile': writeFile,
    'fs/createDirectory': (fields) =>
      answers(
        files.makeDirectory(path(fields, 'path'), { recursive: optionalFlag(fields, 'recursive') ?? true }),
        done,
      ),
    'fs/getMetadata': (fields) => answers(files.facts(path(fields, 'path'))),
    'fs/readDirectory': (fields) => answers(files.list(path(fields, 'path')), (entries) => ({ entries })),
    'fs/remove': (fields) =>
      answers(
        files.remove(path(fields, 'path'), {
          recursive: optionalFlag(fields, 'recursive') ?? true,
          force: optionalFlag(fields, 'force') ?? true,
        }),
        done,
      ),
    'fs/copy': copy,
    'fs/canonicalize': (fields) => answers(files.canonical(path(fields, 'path')), (found) => ({ path: toUri(found) })),
    'fs/open': open,
    'fs/readBlock': readBlock,
    'fs/close': close,
  };
  return Object.fromEntries(Object.entries(methods).map(([name, run]) => [name, withSystemErrors(run)]));
};

const done = () => ({});
const refuse = (message: string): Observable<never> => throwError(() => new RpcError(INVALID_REQUEST, message));
const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const withSystemErrors =
  (run: (fields: JsonObject) => Observable<Said>): Method =>
  (params) => {
    const fields = fieldsOf(params);
    refuseSandbox(fields);
    return run(fields).pipe(
      catchError((error) => throwError(() => (error instanceof RpcError ? error : toRpcError(error)))),
    );
  };

const WORDS: Record<string, string> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  ENOSPC: 'No space left on device',
  ENAMETOOLONG: 'File name too long',
};

const toRpcError = ({ code = '', errno, message }: NodeJS.ErrnoException): RpcError => {
  const words = WORDS[code];
  const said = words !== undefined && errno !== undefined ? `${words} (os error ${-errno})` : message;
  return new RpcError(code === 'ENOENT' ? NOT_FOUND : INTERNAL_ERROR, said);
};
