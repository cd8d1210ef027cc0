/** Owns the watcher: a tiny process that ends our children when we could not, because we were killed. */
import type { ChildProcess } from 'node:child_process';
import type { Spawn } from './child';

/** Says that a process group lives; what it returns says that the group is gone. */
export type WatchGroup = (group: number) => () => void;

/**
 * Reads `+group` and `-group`; at the end of its input, which is our end however we die, kills what is left.
 * Node cannot ask Linux for a signal at the death of a parent, and that signal would reach no grandchild anyway.
 */
const SCRIPT = `trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done`;

/**
 * A watcher for process groups, started with the first group, started anew when it was killed. It stands in a session
 * of its own, so what is sent to our group does not reach it, and it holds nothing of us but one end of a pipe.
 * What left its group (setsid) is out of its reach.
 */
export const watchGroups = ({ spawn }: { spawn: Spawn }): WatchGroup => {
  const groups = new Set<number>();
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
    for (const group of groups) tell(`+ ${group}`);
  };
  return (group) => {
    groups.add(group);
    if (watcher) tell(`+ ${group}`);
    else begin();
    return () => {
      if (groups.delete(group)) tell(`- ${group}`);
    };
  };
};
