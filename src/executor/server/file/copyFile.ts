/** The method fs/copy: a file, or a directory with all in it. */
import { concatMap, type Observable } from 'rxjs';
import { isWithin } from '../../../streams/text/isWithin';
import type { Files } from '../../files';
import { toPath } from '../../toPath';
import { invalid } from './fileErrors';

/** The params of fs/copy, without its restrictions. */
export type CopyRequest = { sourcePath: string; destinationPath: string; recursive?: boolean | null };

/** Emits once the copy is made. */
export const copyFile = (files: Files, { sourcePath, destinationPath, recursive }: CopyRequest): Observable<void> => {
  const [from, to] = [toPath(sourcePath, 'sourcePath'), toPath(destinationPath, 'destinationPath')];
  return files.facts(from).pipe(
    concatMap(({ isDirectory }) => {
      if (!isDirectory) return files.copy(from, to);
      if (!recursive) return invalid('fs/copy requires recursive: true when sourcePath is a directory');
      return isWithin(from.replace(/\/+$/, '') || '/', to)
        ? invalid('fs/copy cannot copy a directory to itself or one of its descendants')
        : files.copy(from, to);
    }),
  );
};
