/** A watcher for files: a tiny process that removes files of ours when we are gone, however we die. */
import type { ChildProcess } from 'node:child_process';
import type { Spawn } from '../processes/spawn';

/** Adds a file to those removed when this process ends; the function that it returns takes the file off the list. */
export type WatchFile = (path: string) => () => void;

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
  let watcher: ChildProcess | undefined;
  const write = (line: string) => watcher?.stdin?.write(`${line}\n`);
  const begin = () => {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const gone = () => {
      if (watcher === child) watcher = undefined;
    };
    child.on('error', gone).on('exit', gone).unref();
    child.stdin?.on('error', gone);
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    watcher = child;
    for (const file of files) write(`+ ${file}`);
  };
  return (path) => {
    if (path.includes('\n') || files.has(path)) return () => {};
    files.add(path);
    if (watcher) write(`+ ${path}`);
    else begin();
    return () => {
      if (files.delete(path)) write(`- ${path}`);
    };
  };
};
