/** Owns the watcher: a tiny process that ends our children when we could not, because we were killed. */
import type { ChildProcess } from 'node:child_process';
import type { Spawn } from './spawn';

/**
 * Says that a process group lives, or one `process` in the group of another, or the group of a `server`, which ends by itself
 * when its input does and may have processes of its own to end; what it returns says that it is gone.
 */
export type WatchGroup = (id: number, what?: 'group' | 'process' | 'server') => () => void;

/**
 * Reads `+ target` and `- target`, as kill takes them: `-7` for group 7; at the end of its input, which is our end however we die,
 * kills what is left, what is marked by `later` after a second.
 * Node cannot ask Linux for a signal at the death of a parent, and that signal would reach no grandchild anyway.
 */
const SCRIPT = `trap '' HUP INT TERM
targets=' '
while read -r sign target; do
  case $sign in
    +) targets="$targets$target " ;;
    -) targets="\${targets%% $target *} \${targets#* $target }" ;;
  esac
done
later=
for target in $targets; do
  case $target in
    later*) later="$later \${target#later}" ;;
    *) kill -s KILL -- "$target" 2>/dev/null ;;
  esac
done
[ -z "$later" ] || sleep 1
for target in $later; do kill -s KILL -- "$target" 2>/dev/null; done`;

const TARGETS = {
  group: (id: number) => `-${id}`,
  process: (id: number) => `${id}`,
  server: (id: number) => `later-${id}`,
};

/**
 * A watcher for process groups, started with the first group, started anew when it was killed. It stands in a session
 * of its own, so what is sent to our group does not reach it, and it holds nothing of us but one end of a pipe.
 * What left its group (setsid) is out of its reach.
 */
export const watchGroups = ({ spawn }: { spawn: Spawn }): WatchGroup => {
  const targets = new Set<string>();
  let watcher: ChildProcess | undefined;
  const tell = (line: string) => watcher?.stdin?.write(`${line}\n`);
  const begin = () => {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: {},
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
    for (const target of targets) tell(`+ ${target}`);
  };
  return (id, what = 'group') => {
    const target = TARGETS[what](id);
    targets.add(target);
    if (watcher) tell(`+ ${target}`);
    else begin();
    return () => {
      if (targets.delete(target)) tell(`- ${target}`);
    };
  };
};
