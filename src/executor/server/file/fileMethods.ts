/** Owns the methods of family fs/ over the port Files. */
import { concatMap, map, type Observable, of } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc';
import type { Files } from '../../files';
import { toUri } from '../../toUri';
import { answer, answers, type Method, type Said } from '../execMethod';
import { decodeBase64, fieldsOf, optionalFlag, path, text } from '../params';
import { refuseSandbox } from '../process/readStart';
import { handleMethods } from './handleMethods';
import { refuse, withSystemWords } from './systemErrors';
import { toBase64 } from './toBase64';

export type FileMethodsDeps = { files: Files };

/** A whole file travels as one message. */
const MAX_FILE_BYTES = 268_435_456;
const TOO_LONG = `file has more than ${MAX_FILE_BYTES} bytes; read it in blocks`;

/** The methods of one session; the files it holds open are closed with the requests that opened them. */
export const fileMethods = ({ files }: FileMethodsDeps): Record<string, Method> => {
  const readFile = (fields: JsonObject) => {
    const from = path(fields, 'path');
    return files.facts(from).pipe(
      concatMap(({ isDirectory, isFile, size }) => {
        if (isDirectory) return refuse('Is a directory (os error 21)');
        if (!isFile) return refuse('not a regular file');
        return size > MAX_FILE_BYTES ? refuse(TOO_LONG) : files.read(from, MAX_FILE_BYTES + 1);
      }),
      concatMap((bytes) =>
        bytes.length > MAX_FILE_BYTES ? refuse(TOO_LONG) : of(answer({ dataBase64: toBase64(bytes) })),
      ),
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
    ...handleMethods(files),
  };
  return Object.fromEntries(Object.entries(methods).map(([name, run]) => [name, toMethod(run)]));
};

const done = () => ({});

const toMethod =
  (run: (fields: JsonObject) => Observable<Said>): Method =>
  (params) => {
    const fields = fieldsOf(params);
    refuseSandbox(fields);
    return run(fields).pipe(withSystemWords());
  };
