/** The methods of family fs/ over the port Files. */
import {
  catchError,
  concatMap,
  finalize,
  identity,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  tap,
  throwError,
} from 'rxjs';
import type * as z from 'zod/mini';
import {
  ApplyChangesParams,
  CloseParams,
  CopyParams,
  MetadataParams,
  OpenParams,
  PathOptionsParams,
  PathParams,
  ReadBlockParams,
  SettleChangesParams,
  WriteBlockParams,
  WriteFileParams,
} from '../../../protocol/exec/params';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { isWithin, withoutEndSlash } from '../../../streams/text/trim';
import type { FileFacts, Files, OpenFile, OpenMode } from '../../files';
import { systemText } from '../../systemErrors';
import { toPath, toUri } from '../../toPath';
import { fromBase64, type Method, method, type Output, results, toBase64, toBytes } from '../method';
import { toChange } from '../toChange';

export type FileMethodsDeps = { files: Files };

/** The methods of one session. Unsubscribing from fs/open closes the file. */
export const fileMethods = ({ files }: FileMethodsDeps): Record<string, Method> => ({
  'fs/readFile': fileMethod(PathParams, ({ path }) => readFile(files, toPath(path, 'path'))),
  'fs/writeFile': fileMethod(WriteFileParams, ({ path, dataBase64 }) => {
    const to = toPath(path, 'path');
    const bytes = fromBase64(dataBase64);
    return typeof bytes === 'string'
      ? invalid(`fs/writeFile requires valid base64 dataBase64: ${bytes}`)
      : results(files.write(to, bytes), empty);
  }),
  'fs/createDirectory': fileMethod(PathOptionsParams, ({ path, recursive }) =>
    results(files.makeDirectory(toPath(path, 'path'), { recursive: recursive ?? true }), empty),
  ),
  'fs/getMetadata': fileMethod(MetadataParams, ({ path, access }) =>
    results(files.facts(toPath(path, 'path')), access === true ? identity : withoutAccess),
  ),
  'fs/readDirectory': fileMethod(PathParams, ({ path }) =>
    results(files.list(toPath(path, 'path')), (entries) => ({ entries })),
  ),
  'fs/remove': fileMethod(PathOptionsParams, ({ path, recursive, force }) =>
    results(files.remove(toPath(path, 'path'), { recursive: recursive ?? true, force: force ?? true }), empty),
  ),
  'fs/copy': fileMethod(CopyParams, (params) => results(copyFile(files, params), empty)),
  'fs/canonicalize': fileMethod(PathParams, ({ path }) =>
    results(files.canonical(toPath(path, 'path')), (found) => ({ path: toUri(found) })),
  ),
  ...patchMethods(files),
  ...handleMethods(files),
});

const empty = () => ({});

const withoutAccess = ({ mode: _, writable: __, ...facts }: FileFacts) => facts;

const patchMethods = (files: Files): Record<string, Method> => ({
  'fs/applyChanges': fileMethod(ApplyChangesParams, ({ changes, journalId }) =>
    results(files.change(changes.map(toChange), journalId ?? undefined)),
  ),
  'fs/settleChanges': fileMethod(SettleChangesParams, ({ journal, phase, sinceMs }) =>
    results(files.settle({ journal, phase, sinceMs: sinceMs ?? Number.POSITIVE_INFINITY }), empty),
  ),
});

/** The params of fs/copy, without its restrictions. */
export type CopyRequest = { sourcePath: string; destinationPath: string; recursive?: boolean | null };

/** Emits once the copy is made. */
export const copyFile = (files: Files, { sourcePath, destinationPath, recursive }: CopyRequest): Observable<void> => {
  const [from, to] = [toPath(sourcePath, 'sourcePath'), toPath(destinationPath, 'destinationPath')];
  return files.facts(from).pipe(
    concatMap(({ isDirectory }) => {
      if (!isDirectory) return files.copy(from, to);
      if (!recursive) return invalid('fs/copy requires recursive: true when sourcePath is a directory');
      return isWithin(withoutEndSlash(from) || '/', to)
        ? invalid('fs/copy cannot copy a directory to itself or one of its descendants')
        : files.copy(from, to);
    }),
  );
};

/** The method fs/readFile: a whole file as one message. */
const MAX_FILE_BYTES = 268_435_456;
const TOO_LONG = `file has more than ${MAX_FILE_BYTES} bytes; read it in blocks`;

/** The result with the bytes of a regular file. Some files have no size, so their bytes are counted too. */
export const readFile = (files: Files, path: string): Observable<Output> =>
  files.facts(path).pipe(
    concatMap(({ isDirectory, isFile, size }) => {
      if (isDirectory) return invalid('Is a directory (os error 21)');
      if (!isFile) return invalid('not a regular file');
      return size > MAX_FILE_BYTES ? invalid(TOO_LONG) : files.read(path, MAX_FILE_BYTES + 1);
    }),
    concatMap((bytes) =>
      bytes.length > MAX_FILE_BYTES ? invalid(TOO_LONG) : of(toResult({ dataBase64: toBase64(bytes) })),
    ),
  );

/** The methods of open files: a block is read or written at a time. */
const MAX_BLOCK_BYTES = 1_048_576;
const MAX_HANDLES = 128;

/** fs/open, fs/readBlock, fs/writeBlock, fs/close. Unsubscribing from fs/open closes the file. Source: codex exec-server 0.142.0, 0.169.0. */
export const handleMethods = (files: Files): Record<string, Method> => {
  const handles: Handles = new Map();
  return {
    'fs/open': fileMethod(OpenParams, ({ handleId, path, mode }) =>
      openFile({ files, handles }, handleId, { path: toPath(path, 'path'), mode: mode ?? 'read' }),
    ),
    'fs/readBlock': fileMethod(ReadBlockParams, ({ handleId, offset, len }) =>
      withBlock({ handles, handleId, length: len, verb: 'read' }, (file) =>
        results(file.read(offset, len), ({ bytes, eof }) => ({ chunk: toBase64(bytes), eof })),
      ),
    ),
    'fs/writeBlock': fileMethod(WriteBlockParams, ({ handleId, offset, chunk }) => {
      const bytes = toBytes(chunk);
      return withBlock({ handles, handleId, length: bytes.length, verb: 'write' }, (file) =>
        results(file.write(offset, bytes), () => ({})),
      );
    }),
    'fs/close': fileMethod(CloseParams, ({ handleId }) => {
      handles.get(handleId)?.close();
      return of(toResult({}));
    }),
  };
};

/** Open files by the ids of their client; undefined while one is being opened. */
type Handles = Map<string, OpenFile | undefined>;

const openFile = (
  { files, handles }: { files: Files; handles: Handles },
  handleId: string,
  { path, mode }: { path: string; mode: OpenMode },
): Observable<Output> => {
  if (handles.has(handleId)) return invalid(`file handle ${handleId} already exists`);
  if (handles.size >= MAX_HANDLES) return invalid(`too many open files: ${MAX_HANDLES}`);
  handles.set(handleId, undefined);
  return files.open(path, mode).pipe(
    tap((file) => handles.set(handleId, file)),
    (file$) => results(file$, () => ({ handleId })),
    finalize(() => handles.delete(handleId)),
  );
};

type Block = { handles: Handles; handleId: string; length: number; verb: 'read' | 'write' };

/** Runs with the file, once the length of the block and the handle are checked. */
const withBlock = ({ handles, handleId, length, verb }: Block, run: (file: OpenFile) => Observable<Output>) => {
  if (length < 1 || length > MAX_BLOCK_BYTES)
    return invalid(`file ${verb} block length must be between 1 and ${MAX_BLOCK_BYTES}`);
  const file = handles.get(handleId);
  return file === undefined ? notFound(`unknown file handle ${handleId}`) : run(file);
};

/** A method of files: its params are checked, errors of the system get the texts that Codex gives them. */
export const fileMethod = <S extends z.core.$ZodType>(
  schema: () => S,
  run: (params: z.output<S>) => Observable<Output>,
): Method => method(schema, (params) => run(params).pipe(withSystemErrors()));

/** The code of a file or a handle that does not exist. */
const NOT_FOUND = -32004;

/** Errors with the code of a request that makes no sense. */
export const invalid = (message: string): Observable<never> => throwError(() => new RpcError(INVALID_REQUEST, message));
/** Errors with the code of a missing file. */
export const notFound = (message: string): Observable<never> => throwError(() => new RpcError(NOT_FOUND, message));

/** Errors of the operating system become the responses that Codex gives for them. */
export const withSystemErrors = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof RpcError ? error : toRpcError(error))));

const toRpcError = (error: NodeJS.ErrnoException): RpcError =>
  new RpcError(error.code === 'ENOENT' ? NOT_FOUND : INTERNAL_ERROR, systemText(error));
