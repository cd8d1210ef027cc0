/** The methods of open files: a block is read or written at a time. */
import { finalize, type Observable, of, tap } from 'rxjs';
import { CloseParams, OpenParams, ReadBlockParams, WriteBlockParams } from '../../../protocol/exec/fileParams';
import { toResult } from '../../../protocol/rpc/answerOnce';
import type { Files, OpenFile, OpenMode } from '../../files';
import { toPath } from '../../toPath';
import { toBase64 } from '../base64';
import { toBytes } from '../members';
import { type Method, type Output, results } from '../method';
import { invalid, notFound } from './fileErrors';
import { fileMethod } from './fileMethod';

const MAX_BLOCK_BYTES = 1_048_576;
const MAX_HANDLES = 128;

/**
 * fs/open, fs/readBlock, fs/writeBlock, fs/close of one session. Unsubscribing from fs/open closes the file.
 * Source: codex exec-server 0.142.0; `mode` and fs/writeBlock are of 0.169.0.
 */
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
