/** Watchers of files: a tiny process removes files of ours when we are gone, however we die; a file that another program writes is followed. */
import { createReadStream, watch } from 'node:fs';
import {
  defer,
  EMPTY,
  filter,
  finalize,
  map,
  mergeScan,
  Observable,
  of,
  scan,
  startWith,
  switchMap,
  take,
  throttleTime,
} from 'rxjs';
import { noBackpressure } from '../../streams/backpressure';
import { isFile, isThere } from '../paths/look';
import type { Spawn } from '../processes/child';
import { openWatcher } from '../processes/watchGroups';
import { fromReadable } from '../stdio/fromInput';

/** Adds a file to those removed when this process ends; the function that it returns takes the file off the list. */
type WatchFile = (path: string) => () => void;

/**
 * Reads `+ path` and `- path`; at the end of its input, which is our end, it waits until processes that were killed are gone, then
 * removes the files that are left, and their folders if nothing else is in them.
 */
const SCRIPT = `trap '' HUP INT TERM
newline='
'
files=$newline
while IFS=' ' read -r sign file; do
  case $sign in
    +) files="$files$file$newline" ;;
    -) files="\${files%%"$newline$file$newline"*}$newline\${files#*"$newline$file$newline"}" ;;
  esac
done
[ "$files" = "$newline" ] && exit
sleep 1
IFS=$newline
set -f
for file in $files; do
  rm -f -- "$file"
  rmdir -- "\${file%/*}"
done 2>/dev/null`;

/** A watcher for files, started with the first one; see watchGroups. Paths with a line break cannot be watched. */
export const watchFiles = ({ spawn }: { spawn: Spawn }): WatchFile => {
  const files = new Set<string>();
  const watcher = openWatcher({ spawn, script: SCRIPT, args: [], targets: files });
  return (path) => {
    if (path.includes('\n') || files.has(path)) return () => {};
    files.add(path);
    watcher.send(`+ ${path}`);
    return () => {
      if (files.delete(path)) watcher.write(`- ${path}`);
    };
  };
};

/** How far a file was read, and what was read last. */
type Progress = { position: number; chunk: Uint8Array };

/** A program that writes all the time is read this often at most. */
const READ_EVERY_MS = 50;

/**
 * Emits what is in the file, then what is appended to it; never completes. A file that is not there is waited for. What is no regular file,
 * such as a pipe, is read to its end; then this completes. Errors when there is no folder that it could appear in, and when it cannot be
 * read or watched. Unsubscribing closes it.
 *   file    a----bc--d
 *   out     a----(bc)d
 * @param folder that the file is in
 */
export const followFile = (path: string, folder: string): Observable<Uint8Array> =>
  appearanceOf(path, folder).pipe(switchMap(() => contentsOf(path)));

/** Emits once, as soon as there is something at the path, and completes. */
const appearanceOf = (path: string, folder: string): Observable<unknown> =>
  defer(() => {
    if (isThere(path)) return of(undefined);
    return changesOf(folder).pipe(
      startWith(undefined), // the folder is watched before the path is looked at again
      filter(() => isThere(path)),
      take(1),
    );
  });

const contentsOf = (path: string): Observable<Uint8Array> =>
  defer(() => {
    const changed$ = isFile(path) ? changesOf(path) : EMPTY;
    return changed$.pipe(
      throttleTime(READ_EVERY_MS, undefined, { leading: true, trailing: true }),
      startWith(undefined), // it is watched before anything of it is read
      mergeScan((before: Progress) => readFrom(path, before), { position: 0, chunk: new Uint8Array() }, 1),
      map(({ chunk }) => chunk),
    );
  });

const readFrom = (path: string, before: Progress): Observable<Progress> =>
  defer(() => {
    const readable = createReadStream(path, { start: before.position });
    return fromReadable<Uint8Array>(readable, noBackpressure).pipe(
      scan(({ position }, chunk) => ({ position: position + chunk.length, chunk }), before),
      finalize(() => readable.destroy()),
    );
  });

const changesOf = (path: string): Observable<unknown> =>
  new Observable((subscriber) => {
    const watcher = watch(path, () => subscriber.next(undefined));
    watcher.on('error', (error) => subscriber.error(error));
    return () => watcher.close();
  });
