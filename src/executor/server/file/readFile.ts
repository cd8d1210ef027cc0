/** The method fs/readFile: a whole file as one message. */
import { concatMap, type Observable, of } from 'rxjs';
import { toResult } from '../../../protocol/rpc/answerOnce';
import type { Files } from '../../files';
import { toBase64 } from '../base64';
import type { Output } from '../method';
import { invalid } from './fileErrors';

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
