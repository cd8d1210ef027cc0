/** Owns the methods of files that a client holds open: a block read or written at a time. */
import { finalize, map, type Observable, of, tap } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc';
import type { Files, OpenFile } from '../../files';
import { answer, answers, type Said } from '../execMethod';
import { bytes, count, optionalWord, path, text } from '../params';
import { refuse, unknown } from './systemErrors';
import { toBase64 } from './toBase64';

const MAX_BLOCK_BYTES = 1_048_576;
const MAX_HANDLES = 128;

/**
 * fs/open, fs/readBlock, fs/writeBlock, fs/close of one session; its files are closed with the requests that opened them.
 * Source: codex exec-server 0.142.0; `mode` and fs/writeBlock are of 0.169.0.
 */
export const handleMethods = (files: Files): Record<string, (fields: JsonObject) => Observable<Said>> => {
  const handles = new Map<string, OpenFile | undefined>();
  return {
    'fs/open': (fields) => {
      const handleId = text(fields, 'handleId');
      const at = path(fields, 'path');
      const mode = optionalWord(fields, 'mode', ['read', 'replace']) ?? 'read';
      if (handles.has(handleId)) return refuse(`file handle ${handleId} already exists`);
      if (handles.size >= MAX_HANDLES) return refuse(`too many open files: ${MAX_HANDLES}`);
      handles.set(handleId, undefined);
      return files.open(at, mode).pipe(
        tap((file) => handles.set(handleId, file)),
        map(() => answer({ handleId })),
        finalize(() => handles.delete(handleId)),
      );
    },
    'fs/readBlock': (fields) => {
      const file = handles.get(text(fields, 'handleId'));
      const [offset, length] = [count(fields, 'offset'), count(fields, 'len')];
      if (isNoBlock(length)) return refuse(`file read block length must be ${BLOCK}`);
      if (file === undefined) return unknown(`unknown file handle ${fields.handleId}`);
      return answers(file.read(offset, length), ({ bytes: read, eof }) => ({ chunk: toBase64(read), eof }));
    },
    'fs/writeBlock': (fields) => {
      const file = handles.get(text(fields, 'handleId'));
      const offset = count(fields, 'offset');
      const chunk = bytes(fields, 'chunk');
      if (isNoBlock(chunk.length)) return refuse(`file write block length must be ${BLOCK}`);
      if (file === undefined) return unknown(`unknown file handle ${fields.handleId}`);
      return answers(file.write(offset, chunk), () => ({}));
    },
    'fs/close': (fields) => {
      handles.get(text(fields, 'handleId'))?.close();
      return of(answer({}));
    },
  };
};

const BLOCK = `between 1 and ${MAX_BLOCK_BYTES}`;
const isNoBlock = (length: number): boolean => length < 1 || length > MAX_BLOCK_BYTES;
