/** The file system of this machine behind the executor's port. */
import { constants } from 'node:fs';
import {
  access,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { concat, concatMap, defer, finalize, NEVER, type Observable, of, Subject, takeUntil } from 'rxjs';
import type { FileBlock, FileFacts, Files, OpenFile, OpenMode } from '../files';

/** How much of a file is read at once. */
const PART_BYTES = 524_288;

/** The function with an Observable in place of its promise; each subscription calls it. */
const deferred =
  <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
  (...args: A): Observable<T> =>
    defer(() => act(...args));

const factsOf = async (path: string): Promise<FileFacts> => {
  const link = await lstat(path);
  const isSymlink = link.isSymbolicLink();
  const facts = isSymlink ? await stat(path) : link;
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false, // whatever the reason
  );
  return {
    mode: facts.mode & 0o777,
    writable,
    isDirectory: facts.isDirectory(),
    isFile: facts.isFile(),
    isSymlink,
    size: facts.size,
    createdAtMs: Math.trunc(facts.birthtimeMs),
    modifiedAtMs: Math.trunc(facts.mtimeMs),
  };
};

const { O_CREAT, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
/** Opening does not wait until a pipe has a writer or a reader: that would block one of the few threads that serve all files. */
const READ = O_RDONLY | O_NONBLOCK;
const REPLACE = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK;
const HOW: Record<OpenMode, number> = { read: READ, replace: REPLACE };

const readFile = async (path: string, maxBytes: number): Promise<Uint8Array> => {
  const handle = await open(path, READ);
  const parts: Uint8Array[] = [];
  for await (const part of handle.createReadStream({ end: maxBytes - 1, highWaterMark: PART_BYTES })) parts.push(part);
  return Buffer.concat(parts);
};

const remove = async (path: string, { recursive, force }: { recursive: boolean; force: boolean }): Promise<void> => {
  if (recursive) return rm(path, { recursive, force });
  try {
    await ((await lstat(path)).isDirectory() ? rmdir(path) : unlink(path));
  } catch (error) {
    if (!force || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const openFile = (path: string, mode: OpenMode): Observable<OpenFile> =>
  defer(() => open(path, HOW[mode])).pipe(
    concatMap((handle) => {
      const closed$ = new Subject<void>(); // the wire from `close` to the life of the handle
      const file: OpenFile = {
        read: deferred(async (offset: number, length: number): Promise<FileBlock> => {
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
          const { size } = await handle.stat();
          const isLast = bytesRead === 0 || (size > 0 && offset + bytesRead >= size); // what is in /proc has no size
          return { bytes: buffer.subarray(0, bytesRead), eof: isLast };
        }),
        write: deferred(async (offset: number, bytes: Uint8Array): Promise<void> => {
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

/** The file system of this machine; @param patches applies the files of a patch, and ends it. */
export const localFiles = (patches: Pick<Files, 'change' | 'settle'>): Files => ({
  ...patches,
  facts: deferred(factsOf),
  read: deferred(readFile),
  write: deferred((path: string, bytes: Uint8Array) => writeFile(path, bytes, { flag: REPLACE })),
  makeDirectory: deferred(async (path: string, how: { recursive: boolean }) => void (await mkdir(path, how))),
  list: deferred(async (path: string) =>
    (await readdir(path, { withFileTypes: true })).map((entry) => ({
      fileName: entry.name,
      isDirectory: entry.isDirectory(),
      isFile: entry.isFile(),
    })),
  ),
  remove: deferred(remove),
  copy: deferred((from: string, to: string) => cp(from, to, { recursive: true, verbatimSymlinks: true })),
  canonical: deferred((path: string) => realpath(path)),
  open: openFile,
});
