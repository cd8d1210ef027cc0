/** Owns the file system of this machine, as the executor asks for it. */
import { constants } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { concat, concatMap, defer, finalize, NEVER, type Observable, of, Subject, takeUntil } from 'rxjs';
import type { FileBlock, FileFacts, Files, OpenFile, OpenMode } from '../../executor';

const once =
  <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
  (...args: A): Observable<T> =>
    defer(() => act(...args));

const factsOf = async (path: string): Promise<FileFacts> => {
  const link = await lstat(path);
  const isSymlink = link.isSymbolicLink();
  const facts = isSymlink ? await stat(path) : link;
  return {
    isDirectory: facts.isDirectory(),
    isFile: facts.isFile(),
    isSymlink,
    size: facts.size,
    createdAtMs: Math.trunc(facts.birthtimeMs),
    modifiedAtMs: Math.trunc(facts.mtimeMs),
  };
};

const remove = async (path: string, { recursive, force }: { recursive: boolean; force: boolean }): Promise<void> => {
  if (recursive) return rm(path, { recursive, force });
  try {
    await ((await lstat(path)).isDirectory() ? rmdir(path) : unlink(path));
  } catch (error) {
    if (!force || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const { O_CREAT, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
const HOW: Record<OpenMode, number> = { read: O_RDONLY, replace: O_WRONLY | O_CREAT | O_TRUNC };

/** Never waits for the other end of a pipe. */
const openFile = (path: string, mode: OpenMode): Observable<OpenFile> =>
  defer(() => open(path, HOW[mode] | O_NONBLOCK)).pipe(
    concatMap((handle) => {
      const closed$ = new Subject<void>();
      const file: OpenFile = {
        read: once(async (offset: number, length: number): Promise<FileBlock> => {
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
          return { bytes: buffer.subarray(0, bytesRead), eof: offset + bytesRead >= (await handle.stat()).size };
        }),
        write: once(async (offset: number, bytes: Uint8Array): Promise<void> => {
          for (let at = 0; at < bytes.length; ) {
            at += (await handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
          }
        }),
        close: () => closed$.next(),
      };
      return concat(of(file), NEVER).pipe(
        takeUntil(closed$),
        finalize(() => void handle.close()),
      );
    }),
  );

/** The file system of this machine. */
export const localFiles = (): Files => ({
  facts: once(factsOf),
  read: once((path: string) => readFile(path)),
  write: once((path: string, bytes: Uint8Array) => writeFile(path, bytes)),
  makeDirectory: once(async (path: string, how: { recursive: boolean }) => void (await mkdir(path, how))),
  list: once(async (path: string) =>
    (await readdir(path, { withFileTypes: true })).map((entry) => ({
      fileName: entry.name,
      isDirectory: entry.isDirectory(),
      isFile: entry.isFile(),
    })),
  ),
  remove: once(remove),
  copy: once((from: string, to: string) => cp(from, to, { recursive: true, verbatimSymlinks: true })),
  canonical: once((path: string) => realpath(path)),
  open: openFile,
});
